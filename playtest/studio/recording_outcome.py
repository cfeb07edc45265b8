"""Plays a recording to find how it ends and whether it plays as recorded."""

from contextlib import closing
from dataclasses import dataclass
from threading import Event

from engine.errors import EngineError
from engine.play.actions import RESET, Action
from engine.play.frames import Frame, decode_last
from engine.play.source import Source
from engine.play.turns import GAME_OVER, WIN, EncodedTurn
from playtest.studio.models import RecordingKind
from playtest.studio.processes.game import play

_LEFT_OUT = "reset_required"
"""arcengine answers an action after a loss without a frame and does not count it."""
_KINDS = {WIN: RecordingKind.WIN, GAME_OVER: RecordingKind.LOSS}
UNFINISHED = "It ends neither in a win nor in a loss."
ONLY_RESETS = "It has no action but RESET: some programs lose the actions when they record."


@dataclass(frozen=True, slots=True)
class Script:
    """The content of a recording.

    `hashes` (hex), `stated` (state and levels completed) and `pictures` (the cells of the last frame) begin
    with the opening. Each is None for a turn of which the recording does not state it; pictures are given
    only where there is no hash, which says more.
    """

    actions: tuple[Action, ...]
    hashes: tuple[str | None, ...]
    stated: tuple[tuple[str, int] | None, ...]
    pictures: tuple[bytes | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What playing a recording showed.

    `carried_out`: the indexes of the actions that were played: neither those after the win nor those after a
    loss. `levels_completed` after the opening and after each of them. `wrong`: what keeps it from playing as
    recorded, as a sentence, or nothing. `notes`: what else is worth knowing, as sentences.
    """

    kind: RecordingKind
    as_arcengine: bool
    carried_out: tuple[int, ...]
    levels_completed: tuple[int, ...]
    wrong: str
    notes: tuple[str, ...]

    @property
    def remark(self) -> str:
        """All remarks as one text."""
        return " ".join(filter(None, [self.wrong, *self.notes]))


def find_outcome(source: Source, script: Script, seed: int, stop: Event | None = None) -> Outcome:
    """Plays it by arcengine's rules, or by those for people if its resets agree only with them.

    RESET as the first action on a level starts the whole game again in arcengine, while people stay on the
    level. Raises EngineError when the environment does not start.
    """
    found, restarts = _play(source, script, seed, stop, as_arcengine=True)
    if found.wrong and restarts:
        other, _ = _play(source, script, seed, stop, as_arcengine=False)
        return found if other.wrong else other
    return found


def _play(
    source: Source, script: Script, seed: int, stop: Event | None, *, as_arcengine: bool
) -> tuple[Outcome, bool]:
    """The outcome by one of the rules, and whether a reset restarted the whole game."""
    played = _Played(script)
    with closing(play(source, seed, script.actions, as_arcengine=as_arcengine, stop=stop)) as outcomes:
        for index, outcome in enumerate(outcomes):
            if not played.add(index, outcome):
                break
    return played.outcome(as_arcengine), played.restarts


class _Played:
    """Collects what the turns of a recording show, one after another."""

    def __init__(self, script: Script) -> None:
        self.restarts = False
        self._script = script
        self._turn: EncodedTurn | None = None
        self._shown: Frame | None = None
        self._levels_completed: list[int] = []
        self._carried_out: list[int] = []
        self._left_out = self._unavailable = 0
        self._wrong = ""

    def add(self, index: int, outcome: EncodedTurn | EngineError) -> bool:
        """Adds the opening (index 0) or an action's outcome; returns whether to continue."""
        if isinstance(outcome, EngineError):
            if outcome.code == _LEFT_OUT:
                self._left_out += 1
                return True
            self._wrong = self._wrong or f"It cannot be played beyond action {index - 1}: {outcome.message}"
            return False
        if self._turn is not None:
            action = self._script.actions[index - 1]
            self._unavailable += action.id not in (RESET, *self._turn.available_actions)
            self.restarts = self.restarts or outcome.full_reset
            self._carried_out.append(index - 1)
        self._turn = outcome
        self._levels_completed.append(outcome.levels_completed)
        agrees = self._agrees(index, outcome)
        if not self._wrong and not agrees:
            where = f"action {index}" if index else "the start"
            self._wrong = f"The replay differs from the recording from {where} on."
        return outcome.state != WIN

    def _agrees(self, index: int, turn: EncodedTurn) -> bool:
        expected, stated = self._script.hashes[index], self._script.stated[index]
        same = expected is None or expected == turn.state_hash.hex()
        if any(self._script.pictures):
            self._shown = decode_last(turn.frames.payload, self._shown)
            picture = self._script.pictures[index]
            same = same and (picture is None or self._shown is None or picture == self._shown.tobytes())
        return same and (stated is None or stated == (turn.state, turn.levels_completed))

    def outcome(self, as_arcengine: bool) -> Outcome:
        assert self._turn is not None, "a game that was played has an opening"
        kind = _KINDS.get(self._turn.state, RecordingKind.UNFINISHED)
        after_the_win = 0
        if kind == RecordingKind.WIN:
            after_the_win = len(self._script.actions) - len(self._carried_out) - self._left_out
        notes = [
            _counted(after_the_win, "after the win", "not played"),
            _counted(self._left_out, "after a loss, where only RESET does anything,", "left out"),
            _counted(self._unavailable, "unavailable at that moment", "played and counted, as by arcengine"),
            UNFINISHED if kind == RecordingKind.UNFINISHED else "",
            ONLY_RESETS if all(action.id == RESET for action in self._script.actions) else "",
        ]
        return Outcome(
            kind=kind,
            as_arcengine=as_arcengine,
            carried_out=tuple(self._carried_out),
            levels_completed=tuple(self._levels_completed),
            wrong=self._wrong,
            notes=tuple(filter(None, notes)),
        )


def _counted(count: int, which: str, fate: str) -> str:
    if not count:
        return ""
    return f"1 action {which} is {fate}." if count == 1 else f"{count:,} actions {which} are {fate}."
