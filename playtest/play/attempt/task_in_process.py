"""A static task as a game of this process: it has no foreign code, so it needs no host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ActionError, EnvironmentFault
from engine.play.actions import Action
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit, EditKind
from engine.tasks.game import TaskGame
from engine.tasks.state import Submissions
from playtest.play.hosts.game import compare
from playtest.play.models import Attempt
from playtest.rules.protocol import DEFAULT
from playtest.rules.tasks.success import TaskRule


class TaskInProcess:
    """One attempt at a static task. `game.state` is its state now."""

    process: int | None = None

    def __init__(self, game: TaskGame) -> None:
        self.game = game
        self.alive = True

    async def act(self, action: Action | Edit) -> EncodedTurn:
        """Performs an edit. Raises ActionError, after which the task is as before."""
        if not isinstance(action, Edit):
            raise ActionError("action_unavailable", "A task takes edits, not actions.")
        return self.game.act(action)

    def refuse_repeated(self, action: object) -> None:
        """Raises ActionError submission_repeated for the grid that was submitted last.

        Asked of people alone: what is recorded is performed again as it is.
        """
        is_submit = isinstance(action, Edit) and action.kind is EditKind.SUBMIT
        if is_submit and self.game.state.current.repeats(self.game.rule):
            raise ActionError("submission_repeated", "This grid was submitted already: change it first.")

    async def keyframe(self) -> EncodedTurn:
        """The last turn, with its last frame alone, as a keyframe."""
        return self.game.keyframe()

    async def replay(self, actions: Sequence[Any], expected: Sequence[bytes] | None) -> None:
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


_WITH_LEVELS = TaskRule(feedback=True, going_back=False)


def rule_of(attempt: Attempt) -> TaskRule:
    """The rule that an attempt at a task follows: its session's, or the default one without a session.

    Levels are always known to be completed, and cannot be set aside.
    """
    if attempt.version.kind.has_levels:
        return _WITH_LEVELS
    return DEFAULT.tasks if attempt.session_id is None else attempt.session.prescribed.tasks


def submissions_of(rule: TaskRule) -> Submissions:
    """The part of the rule that the engine plays by."""
    return Submissions(rule.tries, rule.most_submissions, rule.feedback)
