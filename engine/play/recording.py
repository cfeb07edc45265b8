"""Reads and writes official JSONL recordings.

Written is the toolkit's dialect (arc_agi `wrapper._set_last_response`): one `{"timestamp", "data"}` a line,
action ids by name, the opening RESET with its frame first, no footer. Read are also the dialects of the
Agents repository and of the server (integer or text ids, `score` and `win_score`), and lists of actions.
Lines after the last action that describe no action (a footer such as `{won, played, ...}`,
`{"test": ...}`) are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.errors import ActionError, EnvironmentFault, RecordingError
from engine.play.actions import ACTION_NAMES, CLICK, RESET, Action
from engine.play.frames import Frame, checked_copy
from engine.play.turns import Facts

MOST_TURNS = 100_000

_ACTION_KEYS = {"id", "action"}
_TURN_KEYS = {"action_input", "frame", "state"}
"""Keys that show that a line describes a turn, even if its action is missing."""


@dataclass(frozen=True, eq=False, slots=True)
class RecordedTurn:
    """One line. `timestamp` is ISO 8601 text. What a file leaves out is None or empty."""

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
    """A whole file. `turns[0]` is the opening RESET, which is added if the file lacks it."""

    turns: tuple[RecordedTurn, ...]
    game_id: str = ""
    guid: str | None = None


def write(recording: Recording, *, frames: bool = True) -> Iterator[str]:
    """The lines of a file, each with its line end.

    Without `frames` each has its `state_hash` (16 hexadecimal digits) instead, enough for an exact replay.
    """
    for turn in recording.turns:
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
        if frames:
            data["frame"] = [frame.tolist() for frame in turn.frames or ()]
        elif turn.state_hash is not None:
            data["state_hash"] = turn.state_hash.hex()
        yield json.dumps({"timestamp": turn.timestamp, "data": data}) + "\n"


def read(lines: Iterable[str]) -> Recording:
    """A recording in any known dialect, or a list of actions.

    Raises RecordingError recording_malformed (naming the line), recording_without_actions,
    recording_too_long.
    """
    parsed = list(islice(_parse(lines), MOST_TURNS + 1))
    if len(parsed) > MOST_TURNS:
        raise RecordingError("recording_too_long", f"A recording has at most {MOST_TURNS:,} actions.")
    while parsed and _describes_no_turn(parsed[-1][1]):
        parsed.pop()
    if not parsed:
        raise RecordingError("recording_without_actions", "The recording is empty.")
    turns = [_turn(number, line) for number, line in parsed]
    if _lost_its_actions(turns):
        message = (
            "This recording says RESET for every action although the environment went on: the actions are "
            "not in the file, so nothing can be replayed from it. Record it again with the official toolkit."
        )
        raise RecordingError("recording_without_actions", message)
    if turns[0].action.id != RESET:
        turns.insert(0, RecordedTurn(Action(RESET)))
    facts = _data(parsed[0][1])
    return Recording(tuple(turns), str(facts.get("game_id", "")), facts.get("guid"))


def _parse(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise _malformed(number, f"it is not JSON: {error}") from error
        if isinstance(value, list) and all(isinstance(item, (int, str, dict)) for item in value):
            yield from ((number, item) for item in value)
        else:
            yield number, value


def _data(line: Any) -> Mapping[str, Any]:
    """A line's `data`, whether it is wrapped, bare, or an action alone."""
    if isinstance(line, Mapping) and not _ACTION_KEYS & line.keys():
        wrapped = line.get("data", line)
        if isinstance(wrapped, Mapping):
            return wrapped
    return {"action_input": line}


def _describes_no_turn(line: Any) -> bool:
    return isinstance(line, Mapping) and not _TURN_KEYS & _data(line).keys()


def _turn(number: int, line: Any) -> RecordedTurn:
    data = _data(line)
    if data.get("action_input") is None:
        message = f"Line {number} does not say which action was taken."
        raise RecordingError("recording_without_actions", message, line=number)
    given = data["action_input"]
    try:
        state_hash = data.get("state_hash")
        return RecordedTurn(
            action=_action(given),
            timestamp=str(line.get("timestamp", "")) if isinstance(line, Mapping) else "",
            state=str(data.get("state", "")),
            levels_completed=int(data.get("levels_completed", data.get("score", 0))),
            levels=int(data.get("win_levels", data.get("win_score", 0))),
            available_actions=tuple(map(_action_id, data.get("available_actions") or ())),
            full_reset=bool(data.get("full_reset", False)),
            frames=tuple(map(checked_copy, data["frame"])) if data.get("frame") else None,
            state_hash=None if state_hash is None else bytes.fromhex(state_hash),
            reasoning=given.get("reasoning") if isinstance(given, Mapping) else None,
        )
    except (ActionError, EnvironmentFault, AttributeError, TypeError, ValueError) as error:
        raise _malformed(number, str(error)) from error


def _action(given: Any) -> Action:
    if not isinstance(given, Mapping):
        return Action(_action_id(given))
    number = _action_id(given.get("id", given.get("action")))
    cell = given.get("data") or given
    return Action(number, cell.get("x"), cell.get("y")) if number == CLICK else Action(number)


def _action_id(given: Any) -> int:
    if isinstance(given, str):
        return ACTION_NAMES.index(given.upper()) if given.upper() in ACTION_NAMES else int(given)
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


def _malformed(number: int, reason: str) -> RecordingError:
    return RecordingError("recording_malformed", f"Line {number} cannot be read: {reason}.", line=number)
