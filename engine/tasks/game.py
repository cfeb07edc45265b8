"""A task as it is played: edits become turns with the same facts and frames as those of an environment."""

from __future__ import annotations

from collections.abc import Iterable

from engine.play.frames import Frame, encode, keyframe
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN, EncodedFrames, EncodedTurn
from engine.tasks.edits import Edit, EditKind
from engine.tasks.grids import picture
from engine.tasks.state import Submissions, TaskState, apply, start
from engine.tasks.task import Task


class TaskGame:
    """One attempt at a task. `state` is immutable; each edit replaces it.

    A turn's `level` is the test input in work, from 1, its `levels_completed` the inputs solved so far. It
    ends with WIN if all are solved, else with GAME_OVER, which no reset follows.
    """

    def __init__(self, task: Task, rule: Submissions) -> None:
        self.task = task
        self.rule = rule
        self.state = start(task)
        self.seq = 0
        self._frame = picture(self.state.current.grid)
        self.turn = self._turn(0, self.state, [self._frame], None, level_completed=False)

    def act(self, edit: Edit) -> EncodedTurn:
        """Performs an edit. Raises ActionError, after which everything is as before (`state.apply`)."""
        before, after = self.state, apply(self.task, self.rule, self.state, edit)
        completed = after.solved(self.rule) > before.solved(self.rule)
        frames = [picture(after.current.grid)]
        if edit.kind is EditKind.SUBMIT and after.open != before.open:
            frames.insert(0, picture(before.current.grid))  # what was submitted, then the next one's grid
        turn = self._turn(self.seq + 1, after, frames, self._frame, level_completed=completed)
        self.state, self.seq, self._frame, self.turn = after, self.seq + 1, frames[-1], turn
        return turn

    def keyframe(self) -> EncodedTurn:
        """The last turn, with its last frame alone as a keyframe."""
        return self._encoded(self.seq, self.state, keyframe(self._frame), 1, True, self.turn.level_completed)

    def replay(self, edits: Iterable[Edit]) -> list[bytes]:
        """Performs many edits; the state hash after each. Raises ActionError."""
        return [self.act(edit).state_hash for edit in edits]

    def _turn(
        self, seq: int, after: TaskState, frames: list[Frame], before: Frame | None, *, level_completed: bool
    ) -> EncodedTurn:
        payload = encode(frames, before, level_changed=len(frames) > 1)
        changed = before is None or after.digest != self.state.digest
        return self._encoded(seq, after, payload, len(frames), changed, level_completed)

    def _encoded(
        self, seq: int, state: TaskState, payload: bytes, count: int, changed: bool, level_completed: bool
    ) -> EncodedTurn:
        return EncodedTurn(
            seq=seq,
            state=self._state_name(state),
            level=state.open + 1,
            levels=len(state.inputs),
            levels_completed=state.solved(self.rule),
            available_actions=(),
            level_completed=level_completed,
            changed=changed,
            full_reset=seq == 0,
            state_hash=state.digest,
            frame_count=count,
            frames=EncodedFrames.of(payload),
        )

    def _state_name(self, state: TaskState) -> str:
        if not state.finished(self.rule):
            return NOT_FINISHED
        return WIN if state.solved(self.rule) == len(state.inputs) else GAME_OVER
