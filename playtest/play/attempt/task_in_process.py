"""A static task as a game of this process: it has no foreign code, so it needs no host."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import ActionError, EnvironmentFault, SourceError, TaskError
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from engine.tasks.game import TaskGame
from engine.tasks.state import Submissions
from engine.tasks.task import Task, task_of
from playtest.play.hosts.game import compare
from playtest.play.models import Attempt
from playtest.rules.protocol import DEFAULT
from playtest.rules.tasks.procedure import TaskRule


class TaskInProcess:
    """One attempt at a static task. `game.state` is its state now."""

    process: int | None = None

    def __init__(self, game: TaskGame) -> None:
        self.game = game
        self.alive = True

    async def act(self, action: Edit) -> EncodedTurn:
        """Performs an edit. Raises ActionError, after which the task is as before."""
        if not isinstance(action, Edit):
            raise ActionError("action_unavailable", "A task takes edits, not actions.")
        return self.game.act(action)

    async def keyframe(self) -> EncodedTurn:
        """The last turn, with its last frame alone, as a keyframe."""
        return self.game.keyframe()

    async def replay(self, actions: Sequence[Edit], expected: Sequence[bytes] | None) -> None:
        """Performs many edits; `expected` are their state hashes. Raises EnvironmentFault diverged."""
        first = self.game.seq + 1
        try:
            hashes = self.game.replay(actions)
        except ActionError as error:
            seq = self.game.seq + 1
            message = f"The task is no longer edited as recorded: entry {seq} is refused."
            raise EnvironmentFault("diverged", message, seq=seq) from error
        if expected is not None:
            compare(first, expected, hashes)

    async def stop(self) -> None:
        """Ends it."""
        self.alive = False


def rule_of(attempt: Attempt) -> TaskRule:
    """The rule that an attempt at a task follows: its session's, or the default one without a session."""
    return DEFAULT.tasks if attempt.session_id is None else attempt.session.prescribed.tasks


def feedback_given(attempt: Attempt) -> bool:
    """Whether its player may know what was right: always in an interactive environment."""
    return not attempt.version.is_task or rule_of(attempt).feedback


def submissions_of(rule: TaskRule) -> Submissions:
    """The part of the rule that the engine plays by."""
    return Submissions(rule.tries, rule.most_submissions, rule.feedback)


def task_in(text: str, where: str) -> Task:
    """The task in a version's source. Raises SourceError task_damaged."""
    try:
        return task_of(text)
    except TaskError as error:
        raise SourceError("task_damaged", error.message, file=where) from error
