"""The official REST API as an agent uses it: games, scorecards, actions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from playtest_agents.connection import AgentError, Connection
from playtest_agents.game import (
    ACTION_NAMES,
    COLOURS,
    GAME_OVER,
    NOT_FINISHED,
    RESET,
    SIZE,
    WIN,
    Action,
    Frame,
    Game,
    Turn,
)

MOST_REASONING_BYTES = 16 * 1024


class Client:
    """One agent with one key on one server. Raises as `Connection`, and AgentError answer_malformed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def games(self, chosen: Sequence[str] = ()) -> list[Game]:
        """The environments that the key may play; or the chosen ones, by id or by its first part.

        Raises AgentError: environment_unknown, no_environments.
        """
        games = [_game(row) for row in _checked("answer", self._connection.get("/api/games"), list)]
        if not games:
            raise AgentError("no_environments", "This key can play no environment: give it a set.")
        return list(dict.fromkeys(_named(name, games) for name in chosen)) if chosen else games

    def open_card(self, tags: Iterable[str], opaque: Any, *, competition: bool = False) -> str:
        """The id of a new scorecard."""
        body = {"tags": list(tags), "opaque": opaque}
        if competition:
            body["competition_mode"] = True
        return str(_field(self._connection.post("/api/scorecard/open", body), "card_id", str))

    def close_card(self, card: str) -> dict[str, Any]:
        """The scorecard with its scores."""
        return _checked("answer", self._connection.post("/api/scorecard/close", {"card_id": card}), dict)

    def start(self, card: str, game: Game) -> Turn:
        """Begins a run of the environment on this card: RESET without guid."""
        return self._command(Action(RESET), {"game_id": game.game_id, "card_id": card})

    def act(
        self, card: str, game: Game, guid: str, action: Action, reasoning: Mapping[str, Any] | None = None
    ) -> Turn:
        """Takes an action. `reasoning` is stored beside it, at most 16 KiB of JSON."""
        body: dict[str, Any] = {"game_id": game.game_id, "guid": guid, **action.data}
        if action.id == RESET:
            body["card_id"] = card
        if reasoning is not None:
            body["reasoning"] = json.dumps(reasoning)
        return self._command(action, body)

    def _command(self, action: Action, body: dict[str, Any]) -> Turn:
        return _turn(self._connection.post(f"/api/cmd/{ACTION_NAMES[action.id]}", body))


def _named(name: str, games: Sequence[Game]) -> Game:
    for game in games:
        if name in (game.game_id, game.code):
            return game
    known = ", ".join(game.game_id for game in games)
    raise AgentError("environment_unknown", f"This key plays no environment {name!r}, only {known}.")


def _game(row: Any) -> Game:
    game_id = _field(row, "game_id", str)
    baseline = row.get("baseline_actions") or ()
    if not isinstance(baseline, list | tuple) or not all(type(count) is int for count in baseline):
        raise _malformed("baseline_actions", baseline)
    return Game(game_id, tuple(baseline))


def _turn(answer: Any) -> Turn:
    state = _field(answer, "state", str)
    available = _field(answer, "available_actions", list)
    if state not in (NOT_FINISHED, WIN, GAME_OVER):
        raise _malformed("state", state)
    if not all(type(action) is int and RESET <= action < len(ACTION_NAMES) for action in available):
        raise _malformed("available_actions", available)
    return Turn(
        guid=_field(answer, "guid", str),
        frames=_frames(_field(answer, "frame", list)),
        state=state,
        levels_completed=_field(answer, "levels_completed", int),
        levels=_field(answer, "win_levels", int),
        available=tuple(action for action in available if action != RESET),
    )


def _frames(drawn: list[Any]) -> tuple[Frame, ...]:
    try:
        frames = [np.asarray(frame) for frame in drawn]
    except (ValueError, TypeError) as error:
        raise AgentError("answer_malformed", f"The server sent a frame that is none: {error}") from error
    if not frames or not all(_is_frame(frame) for frame in frames):
        raise _malformed("frame", drawn)
    return tuple(frame.astype(np.uint8) for frame in frames)


def _is_frame(drawn: np.ndarray[Any, Any]) -> bool:
    numbers = drawn.shape == (SIZE, SIZE) and drawn.dtype.kind in "iu"
    return bool(numbers and drawn.min() >= 0 and drawn.max() < COLOURS)


def _field[T](answer: Any, name: str, kind: type[T]) -> T:
    return _checked(name, _checked("answer", answer, dict).get(name), kind)


def _checked[T](name: str, value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise _malformed(name, value)
    return value


def _malformed(name: str, value: Any) -> AgentError:
    message = f"The server's {name} is not what the API says: {str(value)[:100]}"
    return AgentError("answer_malformed", message)
