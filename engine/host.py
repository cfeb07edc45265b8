"""A process that plays games of one version on request: `python -m engine.host`.

Messages are as in `engine.pipe`, on standard input and output, or on a socket if the process was forked
(`engine.fork_server`). Every request gets one answer, in order. A request has an `op` and a `number`; an
answer has the same `number` and the operation's result or `error`: {kind, code, message, details}, the kind
being a class of `engine.errors`. `engine.answers` checks them.

    load      digest, metadata, text, path     -> {}
    start     game, digest, seed, as_arcengine -> the opening turn; with `level`, of that one; with
              `all_actions`, unavailable actions are carried out
    act       game, action: [id, x, y]         -> the turn
    replay    game, actions: [[id, x, y], ..]  -> hashes: [bytes, ..]
    keyframe  game                             -> the last turn, its last frame as a keyframe
    stop      game                             -> {}
    printed                                    -> bytes: how much the games printed; it is discarded

`game` is a number chosen by the caller. A turn is a map of its facts (`engine.turns.Facts`), its `seq`, its
encoded `frames` (`engine.frames`), and whether they are `deflated`. After an error of kind EnvironmentFault
or SourceError the game no longer exists. The process ends when its input or output is closed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from engine.actions import Action
from engine.answers import facts_of
from engine.confinement import Confinement
from engine.errors import ActionError, EngineError, HostError
from engine.frames import LARGEST_PLAIN_BYTES, deflated, encode, keyframe
from engine.game import Game
from engine.output import printed_bytes
from engine.pipe import LENGTH_BYTES, described, length_of, packed, unpacked
from engine.process import ProcessLimits, take_pipe
from engine.source import Source, from_parts
from engine.turns import Turn


@dataclass(slots=True)
class _Held:
    """A game, and the bytes of memory that its calls have added to the process."""

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
        if not goes_on:  # after the except block, so that the error no longer references the game
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
            raise HostError("unknown_source", "This version is not loaded.")
        (game, turn), memory = self._confinement.run(
            lambda: Game.start(
                source,
                request["seed"],
                as_arcengine=request["as_arcengine"],
                level=request.get("level", 1),
                all_actions=request.get("all_actions", False),
            ),
            self._start_deadline,
            0,
        )
        self._games[request["game"]] = _Held(game, memory)
        return _described(game.seq, turn, encode(turn.frames, None))

    def _act(self, request: dict[str, Any]) -> dict[str, Any]:
        held = self._held(request)
        before = held.game.turn
        turn = self._perform(held, request["action"])
        level_changed = turn.level != before.level
        frames = encode(turn.frames, before.frames[-1], level_changed=level_changed)
        return _described(held.game.seq, turn, frames)

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
        return _described(game.seq, game.turn, keyframe(game.turn.frames[-1]))

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
            raise HostError("unknown_game", "This game is not on this host.")
        return held


def _described(seq: int, turn: Turn, frames: bytes) -> dict[str, Any]:
    """A turn as a map. Large frames are deflated here, once, for the socket and the journal alike."""
    large = len(frames) > LARGEST_PLAIN_BYTES
    return facts_of(turn) | {
        "seq": seq,
        "frames": deflated(frames) if large else frames,
        "deflated": large,
    }


def serve(limits: ProcessLimits, requests: BinaryIO, answers: BinaryIO) -> None:
    """Seals the process and answers until the requests end."""
    confinement = Confinement(limits.memory, limits.process_memory)
    confinement.seal(answers.fileno())
    host = Host(confinement, limits.deadline, limits.start_deadline)
    while header := requests.read(LENGTH_BYTES):
        answer = host.answer(unpacked(requests.read(length_of(header))))
        confinement.rest()
        answers.write(packed(answer))
        answers.flush()


def main() -> None:
    limits = ProcessLimits.from_command_line("engine.host", "Plays games of one version.")
    requests, answers = take_pipe()
    gc.freeze()
    serve(limits, requests, answers)


if __name__ == "__main__":
    main()
