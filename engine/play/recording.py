"""Reads and writes official JSONL recordings.

Written is the toolkit's dialect (arc_agi `wrapper._set_last_response`): one `{"timestamp", "data"}` a line,
action ids by name, the opening RESET with its frame first, no footer. Read are also the dialects of the
Agents repository and of the server (integer or text ids, `score` and `win_score`, a last line that counts),
steps (`frame_before`, `frame_after`, an action with its arguments, `t_ms`), events of sessions (`event` is
"act", with an action and a `grid`), the logs of the official LLM harness (`parsed_action`), and lists of
actions. Lines that describe no turn (`{"test": ...}`, tokens, other events) are ignored. A file is read as a
stream: of its text, one line is held at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import numpy as np

from engine.errors import ActionError, EnvironmentFault, RecordingError
from engine.play.actions import ACTION_NAMES, CLICK, RESET, Action
from engine.play.frames import SIZE, Frame, checked_copy
from engine.play.recording_text import malformed, values_of
from engine.play.turns import Facts

MOST_TURNS = 100_000
TOOLKIT, INTEGERS, SERVER, STEPS, ACTIONS = "toolkit", "integer ids", "server", "steps", "actions only"
EVENTS, FRAMES = "session events", "frames only"
"""The dialects: SERVER ends with a line that counts, ACTIONS have no frames, FRAMES have no actions."""

_ACTION_KEYS = {"id", "action"}
_STEP_KEYS = {"frame_before", "frame_after"}
_EVENT, _LOGGED = "event", "parsed_action"
_OTHER_NAMES = {"UP": 1, "DOWN": 2, "LEFT": 3, "RIGHT": 4, "SPACE": 5, "INTERACT": 5, "CLICK": 6, "UNDO": 7}
_RESULTS = {"game_win": "WIN", "game_over": "GAME_OVER"}
_TURN_KEYS = {"action_input", "frame", "state"}
"""Keys that show that a line describes a turn, even if its action is missing."""
_LAST_LINE_KEYS = {"cards", "total_actions"}
_ETHEREUM_KEYS = {"structLogs", "transactionHash", "blockNumber", "gasUsed", "gasCost", "txHash"}


@dataclass(frozen=True, eq=False, slots=True)
class RecordedTurn:
    """One line. `timestamp` is ISO 8601 text. What a file leaves out is None or empty.

    `action_known` is False where only frames were recorded: `action` is then RESET and means nothing.
    """

    action: Action
    timestamp: str = ""
    state: str = ""
    levels_completed: int = 0
    levels: int = 0
    available_actions: tuple[int, ...] = ()
    full_reset: bool = False
    frames: tuple[Frame, ...] | None = None
    state_hash: bytes | None = None
    reasoning: Any = None
    action_known: bool = True

    @classmethod
    def of(cls, action: Action, facts: Facts, frames: tuple[Frame, ...], timestamp: str) -> RecordedTurn:
        """The line of an action, the facts of its turn, and its frames."""
        return cls(
            action=action,
            timestamp=timestamp,
            state=facts.state,
            levels_completed=facts.levels_completed,
            levels=facts.levels,
            available_actions=facts.available_actions,
            full_reset=facts.full_reset,
            frames=frames,
            state_hash=facts.state_hash,
        )


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """One play. `turns[0]` is the opening RESET, which is added if the file lacks it.

    `last_line` is what the file's last line counted (`won`, `total_actions`, `cards`), None without one.
    """

    turns: tuple[RecordedTurn, ...]
    game_id: str = ""
    guid: str | None = None
    dialect: str = TOOLKIT
    last_line: Mapping[str, Any] | None = None

    @property
    def has_frames(self) -> bool:
        """Whether any turn has something to compare a replay with."""
        return any(turn.frames or turn.state_hash for turn in self.turns)


def write(recording: Recording, *, frames: bool = True, source: str = "") -> Iterator[str]:
    """The lines of a file, each with its line end.

    Without `frames` each has its `state_hash` (16 hexadecimal digits) instead, enough for an exact replay.
    The first line has the `source`, where one is given, beside its time.
    """
    for number, turn in enumerate(recording.turns):
        data = {
            "game_id": recording.game_id,
            "state": turn.state,
            "levels_completed": turn.levels_completed,
            "win_levels": turn.levels,
            "action_input": {"id": turn.action.name, "data": turn.action.data, "reasoning": turn.reasoning},
            "guid": recording.guid,
            "full_reset": turn.full_reset,
            "available_actions": list(turn.available_actions),
        }
        if not frames and turn.state_hash is not None:
            data["state_hash"] = turn.state_hash.hex()
        named = {"source": source} if source and number == 0 else {}
        line = json.dumps({"timestamp": turn.timestamp, **named, "data": data})
        if frames:
            drawn = ", ".join([_drawn(frame.tobytes()) for frame in turn.frames or ()])
            line = f'{line[:-2]}, "frame": [{drawn}]}}}}'
        yield f"{line}\n"


@lru_cache(maxsize=64)
def _drawn(cells: bytes) -> str:
    """The JSON of a frame, as `json.dumps` writes it: faster, since most rows stay the same."""
    rows = [_row(cells[start : start + SIZE]) for start in range(0, len(cells), SIZE)]
    return f"[{', '.join(rows)}]"


@lru_cache(maxsize=8192)
def _row(cells: bytes) -> str:
    return str(list(cells))


def read(lines: Iterable[str | bytes]) -> Recording:
    """A recording in any known dialect, or a list of actions; several plays of a file as one.

    Raises RecordingError as `read_plays`.
    """
    first, *others = read_plays(lines)
    return replace(first, turns=(*first.turns, *(turn for other in others for turn in other.turns)))


def read_plays(lines: Iterable[str | bytes], *, to_watch: bool = False) -> list[Recording]:
    """The plays of a file: another begins where the guid changes, or a RESET sets the clock back.

    `to_watch`: frames without their actions are read too, which nothing could play again.

    Raises RecordingError recording_malformed (naming the line), recording_without_actions,
    recording_too_long, recording_unknown (what the file is instead), recording_is_pickle.
    """
    plays: list[_Play] = []
    counted: Mapping[str, Any] | None = None
    strange: object = None
    count = 0
    for number, line in values_of(lines):
        data = _data(line)
        if isinstance(line, Mapping) and not _TURN_KEYS & data.keys():
            counted = data if _LAST_LINE_KEYS & data.keys() else counted
            strange = strange or line
            continue
        if to_watch and data.get("action_input") is None and not data.get("frame"):
            continue
        turn = _turn(number, line, data, to_watch=to_watch)
        count += 1
        if count > MOST_TURNS:
            raise RecordingError("recording_too_long", f"A recording has at most {MOST_TURNS:,} actions.")
        guid = data.get("guid")
        if not plays or plays[-1].is_over(guid, turn):
            plays.append(_Play(str(data.get("game_id", "")), guid, by_name=_is_named(data)))
        plays[-1].add(turn, data, guid)
    if not plays:
        raise _unknown(strange)
    return [play.recording(counted, to_watch=to_watch) for play in plays]


@dataclass
class _Play:
    """A play as it is read."""

    game_id: str
    guid: str | None
    by_name: bool
    dialect: str = ""
    turns: list[RecordedTurn] = field(default_factory=list)

    def is_over(self, guid: str | None, turn: RecordedTurn) -> bool:
        if guid and self.guid and guid != self.guid:
            return True
        before = self.turns[-1].timestamp
        return turn.action.id == RESET and bool(turn.timestamp) and turn.timestamp < before

    def add(self, turn: RecordedTurn, data: Mapping[str, Any], guid: str | None) -> None:
        self.guid = self.guid or guid
        if not self.turns and turn.action.id != RESET and turn.action_known:
            before = _frames(data.get("frame_before"))
            self.turns.append(RecordedTurn(Action(RESET), turn.timestamp, frames=before))
        if _STEP_KEYS & data.keys():
            self.dialect = STEPS
        elif _EVENT in data:
            self.dialect = EVENTS
        self.turns.append(turn)

    def recording(self, counted: Mapping[str, Any] | None, *, to_watch: bool) -> Recording:
        lost = _lost_its_actions(self.turns)
        if lost and to_watch:
            self.turns = [replace(turn, action_known=False) for turn in self.turns]
        elif lost:
            message = (
                "This recording says RESET for every action although the environment went on: the actions "
                "are not in the file, so nothing can be replayed from it. Record it again with the official "
                "toolkit."
            )
            raise RecordingError("recording_without_actions", message)
        made = Recording(tuple(self.turns), self.game_id, self.guid, TOOLKIT, counted)
        return replace(made, dialect=self._dialect(made))

    def _dialect(self, made: Recording) -> str:
        if not all(turn.action_known for turn in self.turns):
            return FRAMES
        if self.dialect:
            return self.dialect
        if not made.has_frames:
            return ACTIONS
        if made.last_line is not None:
            return SERVER
        return TOOLKIT if self.by_name else INTEGERS


def _is_named(data: Mapping[str, Any]) -> bool:
    given = data.get("action_input")
    given = given.get("id", given.get("action")) if isinstance(given, Mapping) else given
    return isinstance(given, str) and given.upper() in ACTION_NAMES


def _unknown(strange: object) -> RecordingError:
    """What a file without any turn is."""
    if not isinstance(strange, Mapping):
        return RecordingError("recording_without_actions", "The recording is empty.")
    if _LAST_LINE_KEYS & strange.keys() or "won" in strange:
        return RecordingError("recording_without_actions", "The recording has a last line and no action.")
    result = strange.get("result")
    found = set(strange) | set(result if isinstance(result, Mapping) else ())
    what = "an Ethereum trace" if _ETHEREUM_KEYS & found else "no recording of an environment"
    keys = ", ".join(sorted(map(str, strange))[:6])
    message = f"This is {what}: its lines have {keys}, and none says which action was taken."
    return RecordingError("recording_unknown", message)


def _data(line: Any) -> Mapping[str, Any]:
    """A line's `data`, whether it is wrapped, bare, a step, or an action alone."""
    if isinstance(line, Mapping):
        if isinstance(line.get(_EVENT), str):
            return _of_event(line)
        wrapped = line.get("data", line)
        if isinstance(wrapped, Mapping) and _LOGGED in wrapped:
            return {**wrapped, "action_input": wrapped[_LOGGED]}
        if isinstance(wrapped, Mapping) and _STEP_KEYS & wrapped.keys():
            return _of_step(wrapped)
        if isinstance(wrapped, Mapping) and not _ACTION_KEYS & line.keys():
            return wrapped
    return {"action_input": line}


def _of_step(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """A step as the other dialects have it."""
    action = step.get("action", step.get("action_name", step.get("name")))
    given = step.get("action_args", step.get("args"))
    cell = given if isinstance(given, Mapping) else dict(zip("xy", given or (), strict=False))
    return {**step, "action_input": {"id": action, "data": cell}, "frame": step.get("frame_after")}


def _of_event(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """An action among the events of a session as the other dialects have it; nothing of other events."""
    if event[_EVENT] not in ("act", "action"):
        return {}
    result = event.get("result")
    number = event.get("action_id")
    return {
        _EVENT: event[_EVENT],
        "game_id": event.get("game_version") or event.get("game_id", ""),
        "guid": event.get("session_id"),
        "timestamp": event.get("t"),
        "action_input": {
            "id": event.get("action") if number is None else number,
            "x": event.get("col"),
            "y": event.get("row"),
        },
        "frame": event.get("grid"),
        "state": _RESULTS.get(str(result), "NOT_FINISHED"),
        "levels_completed": int(event.get("level") or 1) - (result not in ("level_complete", "game_win")),
    }


def _turn(number: int, line: Any, data: Mapping[str, Any], *, to_watch: bool = False) -> RecordedTurn:
    known = data.get("action_input") is not None
    if not known and not to_watch:
        message = f"Line {number} does not say which action was taken."
        raise RecordingError("recording_without_actions", message, line=number)
    given = data["action_input"] if known else RESET
    try:
        action = _action(given)
    except (ActionError, AttributeError, TypeError, ValueError) as error:
        if not to_watch or not data.get("frame"):
            raise malformed(number, str(error)) from error
        known, action = False, Action(RESET)  # such as a click without its cell: there is the frame to watch
    try:
        state_hash = data.get("state_hash")
        return RecordedTurn(
            action=action,
            action_known=known,
            timestamp=_timestamp(line, data),
            state=str(data.get("state") or ""),
            levels_completed=int(data.get("levels_completed", data.get("score", 0)) or 0),
            levels=int(data.get("win_levels", data.get("win_score", 0)) or 0),
            available_actions=tuple(map(_action_id, data.get("available_actions") or ())),
            full_reset=bool(data.get("full_reset", False)),
            frames=_frames(data.get("frame")),
            state_hash=None if state_hash is None else bytes.fromhex(state_hash),
            reasoning=given.get("reasoning") if isinstance(given, Mapping) else None,
        )
    except (EnvironmentFault, AttributeError, TypeError, ValueError) as error:
        raise malformed(number, str(error)) from error


def _timestamp(line: Any, data: Mapping[str, Any]) -> str:
    """When it was, as ISO 8601 text; of a step, so long after 1970 as it was after the first."""
    if "t_ms" in data:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=float(data["t_ms"]))).isoformat()
    given = data.get("timestamp") or (line.get("timestamp") if isinstance(line, Mapping) else "")
    return str(given or "")


def _frames(given: Any) -> tuple[Frame, ...] | None:
    """The frames of a turn: a list of grids, or one grid."""
    if given is None or len(given) == 0:
        return None
    if not isinstance(given[0], np.ndarray) and len(given[0]) and isinstance(given[0][0], int):
        given = [given]
    return tuple(map(checked_copy, given))


def _action(given: Any) -> Action:
    if not isinstance(given, Mapping):
        return Action(_action_id(given))
    number = _action_id(given.get("id", given.get("action")))
    cell = given.get("data") or given
    return Action(number, cell.get("x"), cell.get("y")) if number == CLICK else Action(number)


def _action_id(given: Any) -> int:
    if isinstance(given, str):
        name = given.upper()
        return ACTION_NAMES.index(name) if name in ACTION_NAMES else _OTHER_NAMES.get(name) or int(given)
    if type(given) is not int:
        raise TypeError(f"{given!r} is not an action")
    return given


def _lost_its_actions(turns: list[RecordedTurn]) -> bool:
    if any(turn.action.id != RESET for turn in turns):
        return False
    shown = {
        (turn.state, turn.levels_completed, turn.frames[-1].tobytes() if turn.frames else b"")
        for turn in turns
    }
    return len(shown) > 1
