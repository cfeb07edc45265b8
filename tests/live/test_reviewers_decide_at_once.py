"""Two reviewers decide about one case at once: one verdict is the first, and nothing is decided twice."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.colleagues import Act, Colleagues, colleagues_of
from tests.live.server import Server

pytestmark = pytest.mark.postgresql

SEEN = "Looked at the whole replay."
KEEP = ("keep", "tried", SEEN)
EXCLUDE = ("exclude_session", "did_not_try", SEEN)
ROUNDS = 4


@pytest.fixture(scope="module")
def reviewers(server: Server) -> Iterator[Colleagues]:
    with colleagues_of(server) as both:
        yield both


def sessions(server: Server) -> list[int]:
    return [person["session"] for person in server.seed(people=ROUNDS, stage="new")["people"]]


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
    server: Server, reviewers: Colleagues, one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    for session in sessions(server):
        acts = [Act("decide", session, how, {"seen": 0}) for how in (one, other)]
        assert reviewers.at_once(*acts) == ["done", "done"]
        assert verdicts(server, session) == [(False, False), (True, one == other)]


def test_what_two_agreed_on_meanwhile_is_not_decided_again(server: Server, reviewers: Colleagues) -> None:
    for session in sessions(server):
        reviewers.at_once(*[Act("decide", session, KEEP)] * 2)
        late = reviewers.at_once(*[Act("decide", session, EXCLUDE, {"seen": 0})] * 2)
        assert late == ["decided_meanwhile"] * 2
        assert len(decisions(server, session)) == 2


def test_a_decision_is_reversed_once(server: Server, reviewers: Colleagues) -> None:
    for session in sessions(server):
        reviewers.at_once(*[Act("decide", session, KEEP)] * 2)
        (decision,), (_,) = decisions(server, session)
        acts = [Act("reverse", decision, (why, SEEN)) for why in ("mistake", "disagree")]
        found = reviewers.at_once(*acts)
        assert found == ["done", "reversed_already"]
        assert len(decisions(server, session)) == 3
