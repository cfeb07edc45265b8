"""A process that plays games of one version on request: `python -m engine.confine.host`.

Messages are as in `engine.confine.answers`, on standard input and output, or on a socket if the process was
forked (`engine.confine.fork_server`). Every request gets one answer, in order. A request has an `op` and a
`number`; an answer has the same `number` and the operation's result or `error`: {kind, code, message,
details}, the kind being a class of `engine.errors`. `engine.confine.answers` checks them.

    compile   text, name                       -> code: bytes, empty if it cannot be compiled
    load      digest, metadata, text, path     -> {}; with `code`, that is used instead of compiling the text
    start     game, digest, seed, as_arcengine -> the opening turn; with `level`, of that one; with
              `all_actions`, unavailable actions are carried out
    act       game, action: [id, x, y]         -> the turn
    replay    game, actions: [[id, x, y], ..]  -> hashes: [bytes, ..], fewer than actions when time is up or
              another request waits: the caller asks for the others again
    keyframe  game                             -> the last turn, its last frame as a keyframe
    stop      game                             -> {}, or code_replaced if games have changed what they share
    printed                                    -> bytes: how much the games printed; it is discarded

`game` is a number chosen by the caller. A turn is a map of its facts (`engine.play.turns.Facts`), its `seq`,
its encoded `frames` (`engine.play.frames`), and whether they are `deflated`. After an error of kind
EnvironmentFault or SourceError the game no longer exists. The process ends when its input or output is
closed.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, BinaryIO

from engine.confine.answers import (
    LENGTH_BYTES,
    REPLAY_SECONDS,
    described,
    facts_of,
    length_of,
    packed,
    read_exactly,
    unpacked,
)
from engine.confine.confinement import Confinement
from engine.confine.garbage import GarbageCollection
from engine.confine.process import ProcessLimits, printed_bytes, take_pipe
from engine.errors import ActionError, EngineError, HostError
from engine.play.actions import Action
from engine.play.frames import encode, keyframe
from engine.play.game import Game
from engine.play.source import Source, from_parts, give, marshalled
from engine.play.turns import EncodedFrames, Turn

_OTHERS_WAIT_SECONDS = 0.005
"""So long a rebuild goes on while others wait, or two on a host would take turns at each action."""


@dataclass(slots=True)
class _Held:
    """A game, the bytes of memory that its calls added to the process, and whether it is being rebuilt."""

    game: Game
    memory: int
    is_replaying: bool = False


class Host:
    """The games of one process. Every call of foreign code goes through the confinement."""

    def __init__(
        self,
        confinement: Confinement,
        deadline: float,
        start_deadline: float,
        garbage: GarbageCollection,
        is_asked: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_asked`: whether another request waits."""
        self._confinement = confinement
        self._is_asked = is_asked
        self._deadline = deadline
        self._start_deadline = start_deadline
        self._sources: dict[str, Source] = {}
        self._games: dict[int, _Held] = {}
        self._garbage = garbage
        self._operations: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "compile": self._compile,
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
            answer, goes_on = number | operation(request), True
        except EngineError as error:
            found = self._blamed(error, request.get("game", 0))
            answer = number | {"error": described(found)}
            goes_on = found is error and isinstance(error, (ActionError, HostError))
        if not goes_on:  # after the except block, so that the error no longer references the game
            self._games.pop(request.get("game", 0), None)
            self._garbage.collect_all()
        self._garbage.after_request()
        return answer

    def _blamed(self, error: EngineError, game: int) -> EngineError:
        """The error itself, unless memory was short because of other games: then this one can be moved."""
        shared = self._games.keys() - {game}
        if error.code == "memory_exceeded" and shared and self._confinement.is_crowded():
            return HostError("host_full", "The games of this host use nearly all of its memory.")
        return error

    def _compile(self, request: dict[str, Any]) -> dict[str, Any]:
        """Only before anything is loaded: code that could have been changed is handed to nobody."""
        if self._sources:
            raise HostError("bad_request", "This host has loaded a source.")
        code, _ = self._confinement.run(
            lambda: marshalled(request["text"], request["name"]), self._start_deadline, 0
        )
        return {"code": code}

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        source = from_parts(request["metadata"], request["text"], request["path"])
        if source.digest != request["digest"]:
            raise HostError("bad_request", "The digest is not that of the text.")
        if code := request.get("code"):
            give(source.text, source.file_name, code)
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
        self._confinement.inspect()
        self._games[request["game"]] = _Held(game, memory)
        self._garbage.game_ready()
        return _described(game.seq, turn, encode(turn.frames, None))

    def _act(self, request: dict[str, Any]) -> dict[str, Any]:
        held = self._held(request)
        before = held.game.turn
        turn = self._perform(held, request["action"])
        level_changed = turn.level != before.level
        if level_changed or turn.state != before.state:
            self._confinement.inspect()
        frames = encode(turn.frames, before.frames[-1], level_changed=level_changed)
        return _described(held.game.seq, turn, frames)

    def _replay(self, request: dict[str, Any]) -> dict[str, Any]:
        """Carries out actions until the time is up, or until another game has waited for a moment."""
        held = self._held(request)
        held.is_replaying = True
        hashes: list[bytes] = []
        began = monotonic()
        for seq, action in enumerate(request["actions"], start=held.game.seq + 1):
            spent = monotonic() - began
            if hashes and (spent > REPLAY_SECONDS or (spent > _OTHERS_WAIT_SECONDS and self._is_asked())):
                break
            try:
                hashes.append(self._perform(held, action).state_hash)
            except EngineError as error:
                error.details["seq"] = seq
                raise
        return {"hashes": hashes}

    def _keyframe(self, request: dict[str, Any]) -> dict[str, Any]:
        held = self._held(request)
        game = held.game
        if held.is_replaying:
            held.is_replaying = False
            self._garbage.game_ready()
        return _described(game.seq, game.turn, keyframe(game.turn.frames[-1]))

    def _stop(self, request: dict[str, Any]) -> dict[str, Any]:
        if (held := self._games.pop(request["game"], None)) is not None:
            used = held.memory
            del held  # or what it holds would be alive
            self._garbage.game_ended(used, len(self._games))
            self._confinement.inspect_between_games()
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
    encoded = EncodedFrames.of(frames)
    return facts_of(turn) | {"seq": seq, "frames": encoded.data, "deflated": encoded.deflated}


def serve(limits: ProcessLimits, requests: BinaryIO, answers: BinaryIO) -> None:
    """Seals the process and answers until the requests end.

    A buffer of `requests` would hide that another request waits: from a buffered pipe, none is seen to wait.
    """
    confinement = Confinement(limits.memory, limits.process_memory)
    garbage = GarbageCollection()
    confinement.seal(answers.fileno())
    garbage.begin()
    poll = select.poll()
    poll.register(requests, select.POLLIN)

    def another_waits() -> bool:
        return bool(poll.poll(0))

    host = Host(confinement, limits.deadline, limits.start_deadline, garbage, another_waits)
    while header := read_exactly(requests, LENGTH_BYTES):
        answer = host.answer(unpacked(read_exactly(requests, length_of(header))))
        answers.write(packed(answer))
        answers.flush()
        if not another_waits():
            confinement.rest()


def main() -> None:
    limits = ProcessLimits.from_command_line("engine.confine.host", "Plays games of one version.")
    requests, answers = take_pipe()
    serve(limits, requests, answers)


if __name__ == "__main__":
    main()
