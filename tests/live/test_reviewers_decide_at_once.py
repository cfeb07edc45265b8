"""Two reviewers decide about one case at once: one succeeds and the other gets a code."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import PASSWORD, ROOT, Server

ROLES = ("lead", "researcher")
KEEP = ("keep", "tried")
EXCLUDE = ("exclude_session", "did_not_try", "Looked at the whole replay.")
ROUNDS = 4


class Reviewers:
    """One process for each of two reviewers."""

    def __init__(self, server: Server) -> None:
        self.processes = {
            role: subprocess.Popen(
                [sys.executable, "-m", "tests.live.reviewer"],
                cwd=ROOT,
                env=server.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for role in ROLES
        }

    def at_once(self, deed: str, on: int, *arguments: tuple[str, ...], **options: Any) -> set[str]:
        """Lets both act at the same moment, each with its own arguments; returns the set of answers."""
        at = time.time() + 0.02
        for (role, process), given in zip(self.processes.items(), arguments, strict=True):
            wanted = {"deed": deed, "on": on, "by": role, "at": at, "arguments": given, "options": options}
            assert process.stdin is not None
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()
        return {self._hear(process) for process in self.processes.values()}

    def _hear(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return str(json.loads(process.stdout.readline()))

    def stop(self) -> None:
        for process in self.processes.values():
            process.communicate(timeout=PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def reviewers(server: Server) -> Iterator[Reviewers]:
    for role in ROLES:
        server.seed(staff=role, password=PASSWORD)
    both = Reviewers(server)
    yield both
    both.stop()


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
    reviewers: Reviewers,
    one: tuple[str, ...],
    other: tuple[str, ...],
    options: dict[str, Any],
    codes: set[str],
) -> None:
    for session in sessions(server):
        done, code = sorted(reviewers.at_once("decide", session, one, other, **options), key="done".__ne__)
        assert (done, code in codes) == ("done", True)
        assert len(decisions(server, session)) == 1


def test_one_of_two_simultaneous_exclusions_confirms_the_other(server: Server, reviewers: Reviewers) -> None:
    for session in sessions(server):
        assert reviewers.at_once("decide", session, EXCLUDE, EXCLUDE) == {"done"}
        (first,), (_,) = decisions(server, session)
        asked = f"SELECT confirms_id, answers_id FROM review_decision WHERE session_id = {session}"
        assert sorted(server.rows(asked), key=str) == [(first, first), (None, None)]


def test_a_decision_is_reversed_once(server: Server, reviewers: Reviewers) -> None:
    for session in sessions(server):
        reviewers.at_once("decide", session, KEEP, KEEP)
        (decision,) = decisions(server, session)
        found = reviewers.at_once("reverse", decision[0], ("mistake",), ("disagree",))
        assert found == {"done", "reversed_already"}
        assert len(decisions(server, session)) == 2
