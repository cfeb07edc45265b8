"""Two people who want the same station at the same moment: one gets it, the other is told so."""

from collections.abc import Iterator

import pytest

from tests.live.colleagues import Act, Colleagues, colleagues_of
from tests.live.server import Server

pytestmark = pytest.mark.postgresql

NUMBERS = iter(range(7401, 7500))


@pytest.fixture(scope="module")
def colleagues(server: Server) -> Iterator[Colleagues]:
    with colleagues_of(server) as both:
        yield both


def station(server: Server) -> tuple[int, int]:
    """The number and key of a new station."""
    number = next(NUMBERS)
    server.seed(stations=[number])
    return number, int(server.rows(f"SELECT id FROM center_station WHERE number = {number}")[0][0])


def enter(key: int, code: str) -> Act:
    return Act("enter_code", key, (code,))


def move(session: int, number: int) -> Act:
    return Act("move", session, (), {"to_station": number})


def seated(server: Server, number: int) -> list[int]:
    return [row[0] for row in server.rows(f"SELECT id FROM play_session WHERE station = {number}")]


def moves(server: Server, sessions: list[int]) -> list[int]:
    listed = ", ".join(map(str, sessions))
    return [
        row[0]
        for row in server.rows(
            f"SELECT session_id FROM play_event WHERE kind = 'station_changed' AND session_id IN ({listed})"
        )
    ]


def test_one_of_two_codes_gets_the_station(server: Server, colleagues: Colleagues) -> None:
    number, key = station(server)
    both = server.seed(pool=["wk01"], people=2, stage="new")["people"]
    assert colleagues.at_once(*(enter(key, one["code"]) for one in both)) == ["done", "station_busy"]
    (here,) = seated(server, number)
    (away,) = (one for one in both if one["session"] != here)
    other, other_key = station(server)
    # The refused code is not used up.
    assert sorted(colleagues.at_once(enter(other_key, away["code"]), Act("sweep", 0))) == ["done", "done"]
    assert seated(server, other) == [away["session"]]


def test_one_of_two_moves_gets_the_station(server: Server, colleagues: Colleagues) -> None:
    number, _ = station(server)
    both = [one["session"] for one in server.seed(pool=["wk01"], people=2, stage="playing")["people"]]
    assert colleagues.at_once(*(move(one, number) for one in both)) == ["done", "station_busy"]
    (here,) = seated(server, number)
    assert moves(server, both) == [here]
    (away,) = set(both) - {here}
    assert away in seated(server, 1), "the other goes on where it was"


def test_a_move_beside_a_code_leaves_one_session_at_the_station(
    server: Server, colleagues: Colleagues
) -> None:
    number, key = station(server)
    moved = server.seed(pool=["wk01"], stage="playing")["people"][0]["session"]
    coming = server.seed(pool=["wk01"], stage="new")["people"][0]
    found = colleagues.at_once(move(moved, number), enter(key, coming["code"]))
    assert found == ["done", "station_busy"]
    (here,) = seated(server, number)
    assert here in {moved, coming["session"]}
    assert moves(server, [moved]) == ([moved] if here == moved else [])
