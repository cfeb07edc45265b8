"""One game in an engine host of its own: to inspect an environment or to play a recording."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from django.conf import settings

from engine.confine.answers import GarbledAnswer, nothing_of, outcome_of, packed, printed_of, turn_of
from engine.confine.client import converse, died
from engine.errors import EngineError, EnvironmentFault, SourceError
from engine.play.actions import Action
from engine.play.frames import Frame, decode
from engine.play.source import Source
from engine.play.turns import WIN, EncodedTurn
from playtest.studio.processes.limits import game_limits

type Game = tuple[int, int, Sequence[Action]]
"""Its seed, the level that it begins on, and its actions."""
_PATIENCE_SECONDS = 20
"""For the process itself, on top of what the start of an environment may take."""


@dataclass(frozen=True)
class Facts:
    """How many levels there are, the ids (1..7) of the actions available at the start, what was printed.

    And the first frame of each level that can be started, if it was asked for.
    """

    levels: int
    available_actions: tuple[int, ...]
    printed_bytes: int = 0
    first_frames: Mapping[int, Frame] = field(default_factory=dict)


def inspect(source: Source, stop: Event | None = None) -> Facts:
    """Starts the environment once, confined as for a participant: time, memory and output are limited.

    Once `stop` is set it ends at once, and its answer is meaningless. Raises EngineError with the engine's
    own code, `no_levels`, or as `engine.confine.client.converse`. A prototype may have fewer levels than a
    release needs.
    """
    try:
        with closing(_answers(source, [*_opening(source, 0), {"op": "printed"}], stop)) as answers:
            turn = _opened(answers)
            printed = _succeeded(_checked(answers, printed_of))
    except EngineError as error:
        if error.code == "deadline_exceeded":
            most = settings.INSPECTION_SECONDS
            message = f"The environment took more than {most:g} s to start."
            raise EnvironmentFault(error.code, message) from error
        raise
    if not turn.levels:
        raise SourceError("no_levels", "it has no level: add at least one.", file=source.path)
    return Facts(turn.levels, turn.available_actions, printed)


def play(
    source: Source,
    seed: int,
    actions: Iterable[Action],
    level: int = 1,
    *,
    as_arcengine: bool = False,
    stop: Event | None = None,
) -> Generator[EncodedTurn | EngineError]:
    """The opening turn, then for each action its turn or the error it led to.

    The last is an error if nothing can follow it. `as_arcengine`: by arcengine's rules, not by those for
    people (`engine.play.game.Game.start`). Once `stop` is set it ends at once. Raises EngineError as
    `inspect` when there is not even an opening.
    """
    acts = [{"op": "act", "game": 1, "action": [action.id, action.x, action.y]} for action in actions]
    opening = _opening(source, seed, level, as_arcengine=as_arcengine)
    with closing(_answers(source, [*opening, *acts], stop)) as answers:
        turn = _opened(answers)
        yield turn
        for _ in acts:
            try:
                outcome = _outcome(answers, turn.seq + 1)
            except EngineError as error:
                yield error
                return
            turn = outcome if isinstance(outcome, EncodedTurn) else turn
            yield outcome


def play_each(
    source: Source, games: Sequence[Game], stop: Event | None = None
) -> Generator[list[EncodedTurn | EngineError]]:
    """What `play` gives of each game, all in one process, one after another: a list of outcomes each.

    Raises EngineError as `play`, and once nothing can follow.
    """
    load, _ = _opening(source, 0)
    requests = [load]
    for number, (seed, level, actions) in enumerate(games, start=1):
        requests.append(_opening(source, seed, level)[-1] | {"game": number})
        requests += [{"op": "act", "game": number, "action": [one.id, one.x, one.y]} for one in actions]
        requests.append({"op": "stop", "game": number})
    with closing(_answers(source, requests, stop)) as answers:
        _succeeded(_checked(answers, nothing_of))
        for _, _, actions in games:
            outcomes = [_outcome(answers, 0)]
            seq = 0
            for _ in actions:
                outcomes.append(_outcome(answers, seq + 1))
                seq += isinstance(outcomes[-1], EncodedTurn)
            _checked(answers, nothing_of)
            yield outcomes


def play_until_win(
    source: Source, seed: int, actions: Iterable[Action], level: int = 1, *, as_arcengine: bool = False
) -> tuple[list[EncodedTurn], EngineError | None]:
    """The turns up to the one that wins, or up to an error, and that error. Raises EngineError as `play`."""
    turns: list[EncodedTurn] = []
    with closing(play(source, seed, actions, level, as_arcengine=as_arcengine)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, EngineError):
                return turns, outcome
            turns.append(outcome)
            if outcome.state == WIN:
                break
    return turns, None


def first_frames(source: Source, levels: int, stop: Event | None = None) -> dict[int, Frame]:
    """The first frame of each level that starts, by the level's number; with the seed of recordings, 0.

    What ends the process, or does not start in time, ends the search. Once `stop` is set it ends at once.
    """
    found: dict[int, Frame] = {}
    games: list[Game] = [(0, level, ()) for level in range(1, levels + 1)]
    with suppress(EngineError), closing(play_each(source, games, stop)) as openings:
        for level, (opening,) in enumerate(openings, start=1):
            if isinstance(opening, EncodedTurn):
                found[level] = decode(opening.frames.payload, None)[-1]
            elif opening.code == "deadline_exceeded":
                break
    return found  # those found before an error are as good


def _opening(
    source: Source, seed: int, level: int = 1, *, as_arcengine: bool = False
) -> list[dict[str, Any]]:
    at_level = {"level": level} if level > 1 else {}
    return [
        {
            "op": "load",
            "digest": source.digest,
            "metadata": source.metadata,
            "text": source.text,
            "path": source.path,
        },
        {"op": "start", "game": 1, "digest": source.digest, "seed": seed, "as_arcengine": as_arcengine}
        | at_level,
    ]


def _answers(source: Source, requests: list[dict[str, Any]], stop: Event | None) -> Generator[dict[str, Any]]:
    """The host's answers in order. Raises EngineError as `engine.confine.client.converse`, and once `stop`
    is set."""
    silence = _PATIENCE_SECONDS + settings.INSPECTION_SECONDS
    sent, number = _packed(source, requests), 0
    longest = silence + len(requests) * (settings.INSPECTION_SECONDS + game_limits().deadline)
    conversation = converse("engine.confine.host", sent, game_limits(), silence=silence, seconds=longest)
    with closing(conversation) as messages:
        for message in messages:
            if stop is not None and stop.is_set():
                raise died()
            if message is None:
                continue
            if message.pop("number", None) != number:
                raise died()
            number += 1
            yield message


def _packed(source: Source, requests: list[dict[str, Any]]) -> bytes:
    try:
        return b"".join(packed({"number": number} | request) for number, request in enumerate(requests))
    except (ValueError, OverflowError, TypeError) as error:
        message = f"this metadata cannot be passed on: {error}."
        raise SourceError("metadata_invalid", message, file=source.path) from error


def _opened(answers: Generator[dict[str, Any]]) -> EncodedTurn:
    """The opening turn, from the answers to `_opening`."""
    _succeeded(_checked(answers, nothing_of))
    return _succeeded(_outcome(answers, 0))


def _outcome(answers: Generator[dict[str, Any]], seq: int) -> EncodedTurn | EngineError:
    return _checked(answers, lambda answer: turn_of(answer, seq))


def _checked[T](answers: Generator[dict[str, Any]], check: Callable[[dict[str, Any]], T]) -> T | EngineError:
    """The outcome of the next answer. Raises EnvironmentFault host_died if it is not an answer of a host."""
    try:
        return outcome_of(next(answers), check)
    except GarbledAnswer as error:
        raise died() from error


def _succeeded[T](outcome: T | EngineError) -> T:
    if isinstance(outcome, EngineError):
        raise outcome
    return outcome
