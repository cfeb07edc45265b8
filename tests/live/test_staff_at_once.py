"""Two members of staff at the same moment: pay, verdicts, stations."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.colleagues import Act, Colleagues, colleagues_of
from tests.live.server import Server

pytestmark = pytest.mark.postgresql


ROUNDS = 2
FEE = 115.0
SESSION_SECONDS = 1


@pytest.fixture(scope="module")
def colleagues(server: Server) -> Iterator[Colleagues]:
    with colleagues_of(server) as both:
        yield both


def seeded(server: Server, stage: str, **study: int) -> tuple[int, list[int]]:
    """A study and its sessions in this stage."""
    found = server.seed(pool=["wk01"], people=ROUNDS, stage=stage, study={"people": 100, **study})
    return found["study"], [person["session"] for person in found["people"]]


def lines(server: Server, study: int) -> list[tuple[int, str, float]]:
    """Session, kind and amount of each line of the study's ledger."""
    found = server.rows(
        "SELECT link.session_id, line.kind, line.amount FROM center_payline line"
        " JOIN center_payaccount account ON account.id = line.account_id"
        " LEFT JOIN center_paidsession link ON link.account_id = account.id"
        f" WHERE account.study_id = {study} ORDER BY link.session_id, line.id"
    )
    return [(session, kind, float(amount)) for session, kind, amount in found]


def fees(sessions: list[int]) -> list[tuple[int, str, float]]:
    return [(session, "fee", FEE) for session in sessions]


@pytest.mark.parametrize("other", [True, False], ids=["both approve", "one refuses"])
def test_one_of_two_simultaneous_decisions_about_an_adjustment_counts(
    server: Server, colleagues: Colleagues, *, other: bool
) -> None:
    study, sessions = seeded(server, "ended")
    for session in sessions:
        on = server.seed(adjust=session, amount="10")["adjustment"]
        options = ({"approved": approved, "text": "Seen by me, today."} for approved in (True, other))
        found = colleagues.at_once(*(Act("decide_adjustment", on, (), option) for option in options))
        assert found == ["done", "decided_already"]
        decided = server.rows(f"SELECT approved FROM center_adjustmentdecision WHERE adjustment_id = {on}")
        posted = [line for line in lines(server, study) if line[:2] == (session, "adjustment")]
        assert [bool(approved) for (approved,) in decided] == [bool(posted)]
        assert posted in ([], [(session, "adjustment", 10)])


def test_one_of_two_simultaneous_batches_pays(server: Server, colleagues: Colleagues) -> None:
    for _ in range(ROUNDS):
        study, sessions = seeded(server, "ended")
        assert colleagues.at_once(*[Act("make_batch", study)] * 2) == ["done", "nothing_to_pay"]
        made = server.rows(f"SELECT total, people FROM center_paybatch WHERE study_id = {study}")
        assert [(float(total), people) for total, people in made] == [(ROUNDS * FEE, ROUNDS)]
        paid = [(session, "payment", -FEE) for session in sessions]
        assert lines(server, study) == sorted(fees(sessions) + paid)


def test_a_batch_beside_an_approval_leaves_or_pays_the_adjustment(
    server: Server, colleagues: Colleagues
) -> None:
    for _ in range(ROUNDS):
        study, (session, *_) = seeded(server, "ended")
        on = server.seed(adjust=session, amount="-10")["adjustment"]
        approve = Act("decide_adjustment", on, (), {"approved": True, "text": ""})
        assert colleagues.at_once(approve, Act("make_batch", study)) == ["done", "done"]
        unpaid = sum(amount for _, _, amount in lines(server, study))
        assert unpaid in (0, -10)
        (total,) = (
            float(row[0])
            for row in server.rows(f"SELECT total FROM center_paybatch WHERE study_id = {study}")
        )
        assert total == ROUNDS * FEE - 10 - unpaid


def test_one_of_two_simultaneous_receipts_is_the_original(server: Server, colleagues: Colleagues) -> None:
    _, sessions = seeded(server, "ended")
    for session in sessions:
        account = server.seed(adjust=session, amount="10")["account"]
        assert colleagues.at_once(*[Act("issue_receipt", account)] * 2) == ["done", "done"]
        assert server.rows(f"SELECT edition FROM center_receipt WHERE account_id = {account}") == [(1,)]


def test_a_session_that_the_sweep_and_its_page_end_at_once_is_posted_once(
    server: Server, colleagues: Colleagues
) -> None:
    limits = {"soft_seconds": SESSION_SECONDS, "hard_seconds": SESSION_SECONDS}
    study, sessions = seeded(server, "playing", session_seconds=SESSION_SECONDS, **limits)
    time.sleep(SESSION_SECONDS)
    for session in sessions:
        assert colleagues.at_once(Act("sweep", 0), Act("page", session)) == ["done", "done"]
    assert lines(server, study) == fees(sessions)


def test_two_workers_that_post_what_is_missing_post_it_once(server: Server, colleagues: Colleagues) -> None:
    study, sessions = seeded(server, "unposted")
    assert lines(server, study) == []
    assert colleagues.at_once(*[Act("post_missing", 0)] * 2) == ["done", "done"]
    assert lines(server, study) == fees(sessions)


SEEN = "Looked at the whole replay."
KEEP = ("keep", "tried", SEEN)
EXCLUDE = ("exclude_session", "did_not_try", SEEN)
DECISIONS = 4


def sessions(server: Server) -> list[int]:
    return [person["session"] for person in server.seed(people=DECISIONS, stage="new")["people"]]


def decisions(server: Server, session: int) -> list[tuple[Any, ...]]:
    return server.rows(f"SELECT id FROM review_decision WHERE session_id = {session} ORDER BY id")


def verdicts(server: Server, session: int) -> list[tuple[Any, ...]]:
    """Of each: whether it answers the first, and whether it confirms it."""
    rows = server.rows(
        f"SELECT id, answers_id, confirms_id FROM review_decision WHERE session_id = {session} ORDER BY id"
    )
    first = rows[0][0]
    return [(answers == first, confirms == first) for _, answers, confirms in rows]


@pytest.mark.parametrize(
    ("one", "other"), [(KEEP, EXCLUDE), (KEEP, KEEP), (EXCLUDE, EXCLUDE)], ids=["differ", "keep", "exclude"]
)
def test_of_two_simultaneous_verdicts_one_is_the_first_and_the_other_answers_it(
    server: Server, colleagues: Colleagues, one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    for session in sessions(server):
        acts = [Act("decide", session, how, {"seen": 0}) for how in (one, other)]
        assert colleagues.at_once(*acts) == ["done", "done"]
        assert verdicts(server, session) == [(False, False), (True, one == other)]


def test_what_two_agreed_on_meanwhile_is_not_decided_again(server: Server, colleagues: Colleagues) -> None:
    for session in sessions(server):
        colleagues.at_once(*[Act("decide", session, KEEP)] * 2)
        late = colleagues.at_once(*[Act("decide", session, EXCLUDE, {"seen": 0})] * 2)
        assert late == ["decided_meanwhile"] * 2
        assert len(decisions(server, session)) == 2


def test_a_decision_is_reversed_once(server: Server, colleagues: Colleagues) -> None:
    for session in sessions(server):
        colleagues.at_once(*[Act("decide", session, KEEP)] * 2)
        (decision,), (_,) = decisions(server, session)
        acts = [Act("reverse", decision, (why, SEEN)) for why in ("mistake", "disagree")]
        found = colleagues.at_once(*acts)
        assert found == ["done", "reversed_already"]
        assert len(decisions(server, session)) == 3


NUMBERS = iter(range(7401, 7500))


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
