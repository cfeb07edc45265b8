"""Two reviewers decide about one case at once: one succeeds and the other gets a code."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.colleagues import Colleagues, Deed, colleagues_of
from tests.live.server import Server

KEEP = ("keep", "tried")
EXCLUDE = ("exclude_session", "did_not_try", "Looked at the whole replay.")
ROUNDS = 4


@pytest.fixture(scope="module")
def reviewers(server: Server) -> Iterator[Colleagues]:
    with colleagues_of(server) as both:
        yield both


def sessions(server: Server) -> list[int]:
    return [person["session"] for person in server.seed(people=ROUNDS, stage="new")["people"]]


def decisions(server: Server, session: int) -> list[tuple[Any, ...]]:
    return server.rows(f"SELECT id FROM review_decision WHERE session_id = {session} ORDER BY id")


@pytest.mark.parametrize(
    ("one", "other", "options", "codes"),
    [
        (KEEP, EXCLUDE, {"seen": 0}, {"decided_meanwhile"}),
        (KEEP, KEEP, {}, {"kept_already"}),
        (EXCLUDE, EXCLUDE, {"seen": 0}, {"decided_meanwhile"}),
    ],
    ids=["from the same page", "both keep", "both exclude"],
)
def test_one_of_two_simultaneous_decisions_about_a_case_is_stored(
    server: Server,
    reviewers: Colleagues,
    one: tuple[str, ...],
    other: tuple[str, ...],
    options: dict[str, Any],
    codes: set[str],
) -> None:
    for session in sessions(server):
        done, code = reviewers.at_once(*(Deed("decide", session, how, options) for how in (one, other)))
        assert (done, code in codes) == ("done", True)
        assert len(decisions(server, session)) == 1


def test_one_of_two_simultaneous_exclusions_confirms_the_other(server: Server, reviewers: Colleagues) -> None:
    for session in sessions(server):
        assert reviewers.at_once(*[Deed("decide", session, EXCLUDE)] * 2) == ["done", "done"]
        (first,), (_,) = decisions(server, session)
        asked = f"SELECT confirms_id, answers_id FROM review_decision WHERE session_id = {session}"
        assert sorted(server.rows(asked), key=str) == [(first, first), (None, None)]


def test_a_decision_is_reversed_once(server: Server, reviewers: Colleagues) -> None:
    for session in sessions(server):
        reviewers.at_once(*[Deed("decide", session, KEEP)] * 2)
        (decision,) = decisions(server, session)
        found = reviewers.at_once(*(Deed("reverse", decision[0], (why,)) for why in ("mistake", "disagree")))
        assert found == ["done", "reversed_already"]
        assert len(decisions(server, session)) == 2
