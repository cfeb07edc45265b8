"""Plays recordings again, by arcengine's rules, on the version whose frames agree with theirs, cell by cell.

Needs no database, so that several processes can do it. From the first difference on, the turns are what was
recorded.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

from engine.errors import EngineError, RecordingError
from engine.play.actions import RESET, Action
from engine.play.frames import Frame, decode, encode, state_hash
from engine.play.recording import RecordedTurn, Recording, read_plays
from engine.play.source import Source
from engine.play.turns import NOT_FINISHED, STATES, WIN, EncodedFrames, EncodedTurn
from playtest.insight.outside.members import UNREADABLE, Data
from playtest.rules.text import counted
from playtest.studio.processes.game import play

SEED = 0
"""That of the toolkit, so that what draws random numbers plays as it did there."""
_REFUSED = "reset_required"
"""arcengine answers an action after a loss without a frame and does not count it."""
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that a recording may be of. `key` is its primary key; without a source it is not here."""

    key: int
    code: str
    game_id: str
    levels: int
    source: Source | None


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn with its action, the level on which that was made, and its place in the recording."""

    action: Action
    level: int
    turn: EncodedTurn
    index: int


@dataclass(slots=True)
class Replayed:
    """A play as it is stored: `play.models.OutsideAttempt` says what the fields mean.

    `times` has the moment of every turn; it is empty where the recording has no times.
    """

    name: str
    digest: str
    dialect: str
    guid: str
    code: str
    version: int
    turns: list[PlayedTurn]
    times: list[datetime]
    differs_from: int | None
    unproven: bool
    as_arcengine: bool
    last_line: Any
    left_out: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def full_resets(self) -> list[int]:
        """The resets that restarted the whole environment, as they played."""
        return [
            one.turn.seq
            for one in self.turns
            if one.turn.seq and one.action.id == RESET and one.turn.full_reset
        ]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a play of it, that is left out, and why: "code: sentence"."""

    name: str
    reason: str


def digest_of(lines: Iterable[bytes]) -> str:
    """The SHA-256 of a file, hexadecimal; whatever its line ends."""
    made = sha256()
    for line in lines:
        made.update(line.strip().removeprefix(b"\xef\xbb\xbf") + b"\n")
    return made.hexdigest()


def replay_file(
    data: Data, name: str, candidates: dict[str, list[Candidate]], known: frozenset[str] = frozenset()
) -> list[Replayed | Skipped]:
    """Every play of a file, except those with a `known` digest; or why it is left out."""
    try:
        digest = digest_of(data.lines(name))
        if digest in known:
            return []
        plays = read_plays(data.lines(name))
    except RecordingError as error:
        return [Skipped(name, f"{error.code}: {error.message}")]
    except (*UNREADABLE, ValueError, RecursionError, KeyError, NotImplementedError) as error:
        return [Skipped(name, f"file_unreadable: {error}")]
    return [
        replay(one, name, digest if number == 1 else f"{digest[:60]}/{number}", candidates)
        for number, one in enumerate(plays, start=1)
    ]


_work: Callable[[str], list[Replayed | Skipped]]


def begin(data: Data, known: dict[str, list[Candidate]], stored: frozenset[str]) -> None:
    """Begins a process of its own, which imports no models and never asks the database."""
    global _work
    _work = partial(replay_file, data, candidates=known, known=stored)


def replay_next(name: str) -> list[Replayed | Skipped]:
    """`replay_file` in such a process."""
    return _work(name)


def replay(
    recorded: Recording, name: str, digest: str, candidates: dict[str, list[Candidate]]
) -> Replayed | Skipped:
    """A recording on the version that agrees best with it, or why it is left out."""
    code = code_in(recorded.game_id, name, candidates)
    if code is None:
        said = f"“{recorded.game_id}”" if recorded.game_id else "no environment"
        message = f"environment_missing: it names {said}: import the environment first, then this data again."
        return Skipped(name, message)
    best: _Try | None = None
    error: EngineError | None = None
    for one in sorted(candidates[code], key=lambda one: one.game_id != recorded.game_id):
        try:
            found = _played(recorded, one)
        except EngineError as raised:
            error = raised
            continue
        if best is None or found.agreed > best.agreed:
            best = found
        if best.differs_from is None:
            break
    if best is None:
        said = f"{error.code}: {error.message}" if error else "no version of it is here"
        return Skipped(name, f"environment_fault: {said}")
    return _replayed(best, recorded, name, digest)


def as_recorded(recorded: Recording, name: str, code: str = "") -> Replayed:
    """A recording with frames, shown as it is: its version is not here, or its actions are not known."""
    levels = max(max(turn.levels, turn.levels_completed + 1) for turn in recorded.turns)
    found = _Try(recorded, Candidate(0, code, recorded.game_id, levels, None), as_arcengine=True)
    found.differs_from = 0
    return _replayed(found, recorded, name, "")


def _replayed(best: "_Try", recorded: Recording, name: str, digest: str) -> Replayed:
    best.go_on_as_recorded()
    return Replayed(
        name=name.rpartition("/")[2][:_LONGEST_NAME], digest=digest, dialect=recorded.dialect,
        guid=str(recorded.guid or "")[:64], code=best.version.code, version=best.version.key,
        turns=best.turns, times=_times(recorded.turns), differs_from=best.differs_from,
        unproven=not recorded.has_frames, as_arcengine=best.as_arcengine, last_line=recorded.last_line,
        left_out=best.left_out, notes=best.notes,
    )  # fmt: skip


def code_in(game_id: str, path: str, candidates: dict[str, Any]) -> str | None:
    """The environment that a recording names, else the one that its path names."""
    named = game_id.partition("-")[0]
    if game_id:
        return named if named in candidates else None
    parts = path.replace("/", ".").replace("-", ".").replace("_", ".").split(".")
    return next((part for part in reversed(parts) if part in candidates), None)


def _played(recorded: Recording, version: Candidate) -> "_Try":
    """By arcengine's rules, or by those for people if its resets agree only with them."""
    found = _Try(recorded, version, as_arcengine=True).run()
    if found.differs_from is not None and found.restarted:
        other = _Try(recorded, version, as_arcengine=False).run()
        found = other if other.agreed > found.agreed else found
    return found


class _Try:
    """A recording on a version, up to the first difference."""

    def __init__(self, recorded: Recording, version: Candidate, *, as_arcengine: bool) -> None:
        self.version, self.as_arcengine = version, as_arcengine
        self.turns: list[PlayedTurn] = []
        self.differs_from: int | None = None
        self.restarted = False
        self.notes: list[str] = []
        self._recorded = recorded.turns
        self._shown: Frame | None = None
        self.left_out = self._after_loss = self._at = 0

    @property
    def agreed(self) -> int:
        """How many turns agree."""
        return len(self.turns)

    def run(self) -> "_Try":
        """Raises EngineError when the environment does not start."""
        assert self.version.source is not None
        actions = [turn.action for turn in self._recorded[1:]]
        outcomes = play(self.version.source, SEED, actions, as_arcengine=self.as_arcengine)
        with closing(outcomes):
            for index, outcome in enumerate(outcomes):
                if not self._add(index, outcome):
                    break
        self._leave_out(self._after_loss, "after a loss, where only RESET does anything,")
        return self

    def _add(self, index: int, outcome: EncodedTurn | EngineError) -> bool:
        recorded, self._at = self._recorded[index], index
        if isinstance(outcome, EngineError):
            if outcome.code == _REFUSED:
                self._after_loss += 1
                return True
            self.differs_from = len(self.turns)
            self.notes.append(f"The environment does not play on: {outcome.message}")
            return False
        frames = decode(outcome.frames.payload, self._shown)
        self.restarted = self.restarted or (index > 0 and outcome.full_reset)
        if not _agrees(recorded, outcome, frames):
            self.differs_from = len(self.turns)
            return False
        self._shown = frames[-1]
        level = self.turns[-1].turn.level if self.turns else outcome.level
        self.turns.append(PlayedTurn(recorded.action, level, outcome, index))
        if outcome.state == WIN:
            self._leave_out(len(self._recorded) - 1 - index, "after the win")
            return False
        return True

    def go_on_as_recorded(self) -> None:
        """Adds what was recorded from the first difference on, up to a win."""
        if self.differs_from is None:
            return
        for index in range(self._at, len(self._recorded)):
            recorded = self._recorded[index]
            turn = self._as_recorded(recorded)
            level = self.turns[-1].turn.level if self.turns else turn.level
            self.turns.append(PlayedTurn(recorded.action, level, turn, index))
            if turn.state == WIN:
                break

    def _as_recorded(self, recorded: RecordedTurn) -> EncodedTurn:
        before = self.turns[-1].turn if self.turns else None
        lost = np.zeros((64, 64), dtype=np.uint8)  # where even the first frame is missing
        frames = list(recorded.frames or [lost if self._shown is None else self._shown])
        says = recorded.state in STATES
        levels = self.version.levels
        done = recorded.levels_completed if says else (before.levels_completed if before else 0)
        state = recorded.state if says else NOT_FINISHED
        level = max(1, min(done + 1, levels))
        completed = before is not None and done > before.levels_completed
        named = state_hash(frames[-1], level, done, state)
        payload = encode(frames, self._shown, level_changed=completed)
        self._shown = frames[-1]
        return EncodedTurn(
            seq=len(self.turns), state=state, level=level, levels=levels,
            levels_completed=min(done, levels),
            available_actions=tuple(sorted({*recorded.available_actions} - {RESET})),
            level_completed=completed, changed=before is None or named != before.state_hash,
            full_reset=recorded.full_reset, state_hash=named, frame_count=len(frames),
            frames=EncodedFrames.of(payload),
        )  # fmt: skip

    def _leave_out(self, count: int, which: str) -> None:
        self.left_out += count
        if count:
            self.notes.append(f"{counted(count, 'action')} {which} {'is' if count == 1 else 'are'} left out.")


def _agrees(recorded: RecordedTurn, turn: EncodedTurn, played: Sequence[Frame]) -> bool:
    """Whether a turn is as recorded, in all that was recorded: every grid, or only the last one."""
    if recorded.state_hash is not None and recorded.state_hash != turn.state_hash:
        return False
    if recorded.state in STATES and (recorded.state, recorded.levels_completed) != (
        turn.state,
        turn.levels_completed,
    ):
        return False
    if not recorded.frames:
        return True
    compared = played[-1:] if len(recorded.frames) == 1 else played
    return len(compared) == len(recorded.frames) and all(
        np.array_equal(one, other) for one, other in zip(compared, recorded.frames, strict=True)
    )


def _times(turns: Sequence[RecordedTurn]) -> list[datetime]:
    """The moment of every turn; none unless all have one and none is before the one before it."""
    texts = [turn.timestamp for turn in turns]
    if texts and not texts[0] and len(texts) > 1:
        texts[0] = texts[1]  # the opening was not recorded
    try:
        moments = [_moment(text) for text in texts]
    except (ValueError, OverflowError):
        return []
    return moments if all(later >= earlier for earlier, later in pairwise(moments)) else []


def _moment(text: str) -> datetime:
    """ISO 8601, in UTC where it names no zone, or seconds since 1970."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=float(text))
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
