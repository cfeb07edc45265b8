"""A process that keeps the games of one version and answers for them: `python -m engine.host`.

Messages are as in `engine.pipe`, on standard input and output, or on a socket if the process was forked
(`engine.fork_server`). Every request gets one answer, in order. A request has an `op` and a `number`; an
answer has the same `number` and the operation's result or `error`: {kind, code, message, details}, the kind
being a class of `engine.errors`. `engine.answers` checks them.

    load      digest, metadata, text, path     -> {}
    start     game, digest, seed, as_arcengine -> the opening turn (of `level`, if the request has one)
    act       game, action: [id, x, y]         -> the turn
    replay    game, actions: [[id, x, y], ..]  -> hashes: [bytes, ..]
    keyframe  game                             -> the last turn, its last frame as a keyframe
    stop      game                             -> {}
    printed                                    -> bytes: how much the games printed, which nobody sees

`game` is a number chosen by who asks. A turn is a map of its facts, of `frame_count` and of `frames`,
encoded as `engine.frames` says, and `deflated` if they are. After an error of kind EnvironmentFault or
SourceError the game is gone. The process ends when its input or output is closed.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from engine.actions import Action
from engine.confinement import Confinement
from engine.errors import ActionError, EngineError, HostError
from engine.frames import LARGEST_PLAIN_BYTES, deflated, encode, keyframe
from engine.game import Game, Turn
from engine.output import printed_bytes, swallow
from engine.pipe import LENGTH_BYTES, described, length_of, packed, unpacked
from engine.source import Source, from_parts


@dataclass(frozen=True, slots=True)
class Options:
    """What environments may use: seconds for an action and for a start, MB each and together."""

    deadline: float
    start_deadline: float
    memory: int
    host_memory: int


@dataclass(slots=True)
class _Held:
    """A game and the bytes of memory its calls have added to the process."""

    game: Game
    memory: int


class Host:
    """The games of one process. Every call of foreign code goes through the confinement."""

    def __init__(self, confinement: Confinement, deadline: float, start_deadline: float) -> None:
        self._confinement = confinement
        self._deadline = deadline
        self._start_deadline = start_deadline
        self._sources: dict[str, Source] = {}
        self._games: dict[int, _Held] = {}
        self._operations: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "load": self._load,
            "start": self._start,
            "act": self._act,
            "replay": self._replay,
            "keyframe": self._keyframe,
            "stop": self._stop,
            "printed": lambda request: {"bytes": printed_bytes()},
        }

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        number = {"number": request["number"]}
        try:
            operation = self._operations.get(request["op"])
            if operation is None:
                raise HostError("bad_request", f"There is no operation {request['op']!r}.")
            return number | operation(request)
        except EngineError as error:
            answer = number | {"error": described(error)}
            goes_on = isinstance(error, (ActionError, HostError))
        if not goes_on:  # out here, where the error no longer keeps the game's frames alive
            self._games.pop(request.get("game", 0), None)
            gc.collect()
        return answer

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        source = from_parts(request["metadata"], request["text"], request["path"])
        if source.digest != request["digest"]:
            raise HostError("bad_request", "The digest is not that of the text.")
        self._sources[source.digest] = source
        return {}

    def _start(self, request: dict[str, Any]) -> dict[str, Any]:
        source = self._sources.get(request["digest"])
        if source is None:
            raise HostError("unknown_source", "This version was not loaded here.")
        (game, turn), memory = self._confinement.run(
            lambda: Game.start(
                source, request["seed"], as_arcengine=request["as_arcengine"], level=request.get("level", 1)
            ),
            self._start_deadline,
            0,
        )
        self._games[request["game"]] = _Held(game, memory)
        return _facts(game.seq, turn) | _drawn(encode(turn.frames, None), len(turn.frames))

    def _act(self, request: dict[str, Any]) -> dict[str, Any]:
        held = self._held(request)
        before = held.game.turn
        turn = self._perform(held, request["action"])
        level_changed = turn.level != before.level
        frames = encode(turn.frames, before.frames[-1], level_changed=level_changed)
        return _facts(held.game.seq, turn) | _drawn(frames, len(turn.frames))

    def _replay(self, request: dict[str, Any]) -> dict[str, Any]:
        held = self._held(request)
        hashes = []
        for seq, action in enumerate(request["actions"], start=held.game.seq + 1):
            try:
                hashes.append(self._perform(held, action).state_hash)
            except EngineError as error:
                error.details["seq"] = seq
                raise
        return {"hashes": hashes}

    def _keyframe(self, request: dict[str, Any]) -> dict[str, Any]:
        game = self._held(request).game
        return _facts(game.seq, game.turn) | _drawn(keyframe(game.turn.frames[-1]), 1)

    def _stop(self, request: dict[str, Any]) -> dict[str, Any]:
        self._games.pop(request["game"], None)
        return {}

    def _perform(self, held: _Held, action: list[Any]) -> Turn:
        wanted = Action(*action)
        turn, held.memory = self._confinement.run(lambda: held.game.act(wanted), self._deadline, held.memory)
        return turn

    def _held(self, request: dict[str, Any]) -> _Held:
        held = self._games.get(request["game"])
        if held is None:
            raise HostError("unknown_game", "This game is not kept here.")
        return held


def _facts(seq: int, turn: Turn) -> dict[str, Any]:
    return {
        "seq": seq,
        "state": turn.state,
        "level": turn.level,
        "levels": turn.levels,
        "levels_completed": turn.levels_completed,
        "available_actions": turn.available_actions,
        "level_completed": turn.level_completed,
        "changed": turn.changed,
        "full_reset": turn.full_reset,
        "state_hash": turn.state_hash,
    }


def _drawn(frames: bytes, count: int) -> dict[str, Any]:
    large = len(frames) > LARGEST_PLAIN_BYTES
    return {"frames": deflated(frames) if large else frames, "frame_count": count, "deflated": large}


def leave_standard_streams() -> None:
    """Connects standard input and output with nothing: what is printed is only counted."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    swallow()


def take_pipe() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, moved to where no print gets."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    leave_standard_streams()
    return requests, answers


def serve(options: Options, requests: BinaryIO, answers: BinaryIO) -> None:
    """Seals the process and answers until the requests end."""
    confinement = Confinement(options.memory, options.host_memory)
    confinement.seal(answers.fileno())
    host = Host(confinement, options.deadline, options.start_deadline)
    while header := requests.read(LENGTH_BYTES):
        answer = host.answer(unpacked(requests.read(length_of(header))))
        confinement.rest()
        answers.write(packed(answer))
        answers.flush()


def options_for(module: str, does: str) -> Options:
    """The options of the command line, for the module that is the program."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=does)
    parser.add_argument("--deadline", type=float, default=1.0, help="seconds an action may take")
    parser.add_argument("--start-deadline", type=float, default=10.0, help="seconds a start may take")
    parser.add_argument("--memory", type=int, default=512, help="MB one environment may use")
    parser.add_argument("--host-memory", type=int, default=2048, help="MB all environments here may use")
    return Options(**vars(parser.parse_args()))


def main() -> None:
    options = options_for("engine.host", "Keeps games; see engine/host.py.")
    requests, answers = take_pipe()
    gc.freeze()
    serve(options, requests, answers)


if __name__ == "__main__":
    main()
