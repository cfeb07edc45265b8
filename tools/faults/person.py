"""A person who plays at random whatever happens to the server: a client written from docs/wire.md alone.

It writes down every turn that it was given, for `manage.py audit --acknowledged`.
"""

import asyncio
import contextlib
import json
import random
import struct
import time
from dataclasses import dataclass, field
from typing import Any, TextIO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

_ACTION = struct.Struct("<BBHIBBBBHd")
_TURN = struct.Struct("<BBHIBBBBH")
_RESYNC, _GAME_OVER, _CLICK, _UNDO = 4, 2, 6, 7
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 4.0
_SILENCE_SECONDS = 10.0
_SUPERSEDED, _LONGEST_UNTIL_TAKEN_BACK = 4009, 8.0
_UNREACHABLE = (OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError)
_ASKS_AGAIN = ("no_open_attempt", "wrong_attempt", "wrong_sequence", "not_now")
_WAITS = ("attempt_over", "paused", "resync_required")


@dataclass
class Shown:
    """The turn that the page shows: what the next action goes on from."""

    attempt: int
    sequence: int
    state: int
    available: int


@dataclass
class Person:
    """One participant at one station. `notes` gets a line for each turn that answers an action.

    The server is at `port` of this machine, or at the address `root`, with `connecting` as options of
    `websockets.connect`. `gaps` are seconds without play: from the end of a connection, or from the first
    action that it did not answer, until the board was shown again; `elsewhere` counts those after which it
    was another attempt's.
    """

    port: int
    session: int
    seat: str
    notes: TextIO
    rate: float = 3.0
    dice: random.Random = field(default_factory=random.Random)
    acknowledged: int = 0
    last_at: float = field(default_factory=time.monotonic)
    over: bool = False
    closes: list[int] = field(default_factory=list)
    went_back: list[str] = field(default_factory=list)
    root: str = ""
    connecting: dict[str, Any] = field(default_factory=dict)
    gaps: list[float] = field(default_factory=list)
    elsewhere: int = 0

    def __post_init__(self) -> None:
        self._shown: Shown | None = None
        self._furthest: dict[int, int] = {}
        self._sent: dict[tuple[int, int], set[bytes]] = {}
        self._waiting = False
        self._lost_at: float | None = None
        self._lost_in: int | None = None
        self._asked_at = 0.0
        self._was_superseded = False

    async def live(self) -> None:
        """Play until the session is over or the task is cancelled; reconnect as the page does."""
        wait = _FIRST_WAIT
        while not self.over:
            heard = False
            try:
                async with self._connection() as socket:
                    heard = await self._play(socket)
            except _UNREACHABLE:
                pass
            if self._lost_at is None:
                self._lost_at = self._asked_at if self._waiting else time.monotonic()
                self._lost_in = self._shown.attempt if self._shown else None
            self._shown, self._waiting = None, False
            self._sent.clear()
            wait = _FIRST_WAIT if heard else min(wait * 2, _LONGEST_WAIT)
            if not self.over:
                await asyncio.sleep(self._until_taken_back() or wait)

    def _until_taken_back(self) -> float:
        """Seconds until a person would take the session back from another window; 0 if there is none.

        Of two windows that took it back at once, one could wait for its environment again and again.
        """
        was_superseded, self._was_superseded = self._was_superseded, False
        return self.dice.uniform(0, _LONGEST_UNTIL_TAKEN_BACK) if was_superseded else 0.0

    def _connection(self) -> connect:
        root = self.root or f"http://127.0.0.1:{self.port}"
        return connect(
            f"{root.replace('http', 'ws', 1)}/ws/session/",
            origin=root,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"seat={self.seat}"},
            max_size=None,
            compression=None,
            open_timeout=_SILENCE_SECONDS,
            ping_interval=None,
            close_timeout=1,
            **self.connecting,
        )

    async def _play(self, socket: ClientConnection) -> bool:
        """Play on one connection until it ends; whether anything was heard on it."""
        acting = asyncio.create_task(self._act(socket))
        heard = False
        try:
            while True:
                message = await self._next(socket)
                heard = True
                if isinstance(message, bytes):
                    self._turn(message)
                else:
                    await self._text(socket, json.loads(message))
                if self.over:
                    return True
        except _UNREACHABLE:
            if socket.close_code is not None:
                self.closes.append(socket.close_code)
                self._was_superseded = socket.close_code == _SUPERSEDED
            return heard
        finally:
            acting.cancel()
            with contextlib.suppress(asyncio.CancelledError, *_UNREACHABLE):
                await acting

    async def _next(self, socket: ClientConnection) -> str | bytes:
        """The next message; a ping after ten seconds without one, and TimeoutError after ten more."""
        try:
            return await asyncio.wait_for(socket.recv(), _SILENCE_SECONDS)
        except TimeoutError:
            await socket.send(json.dumps({"type": "ping"}))
            return await asyncio.wait_for(socket.recv(), _SILENCE_SECONDS)

    async def _act(self, socket: ClientConnection) -> None:
        """Send an action now and then, and wait for its answer before the next."""
        while True:
            await asyncio.sleep(self.dice.expovariate(self.rate))
            shown = self._shown
            if shown is None or self._waiting:
                continue
            self._waiting, self._asked_at = True, time.monotonic()
            message = self._action(shown)
            self._sent.setdefault((shown.attempt, shown.sequence + 1), set()).add(message)
            await socket.send(message)

    def _action(self, shown: Shown) -> bytes:
        offered = [action for action in range(1, 8) if shown.available >> action & 1]
        action = 0 if shown.state == _GAME_OVER or not offered else self.dice.choice(offered)
        x, y = (self.dice.randrange(64), self.dice.randrange(64)) if action == _CLICK else (0, 0)
        at = round(time.time() * 1000, 3)
        return _ACTION.pack(1, 1, shown.attempt, shown.sequence + 1, action, x, y, 0, 16, at)

    def _turn(self, data: bytes) -> None:
        _, flags, attempt, sequence, _, _, state, available, _ = _TURN.unpack_from(data)
        if flags & _RESYNC:
            self._check(attempt, sequence)
            self._waiting = False
            if self._lost_at is not None:
                self.gaps.append(time.monotonic() - self._lost_at)
                self.elsewhere += self._lost_in not in (None, attempt)
                self._lost_at = None
        elif len(sent := self._sent.get((attempt, sequence), set())) == 1:
            [message] = sent  # of two actions of one sequence, it is not known which was recorded
            self._note(message, data)
        if self._shown is None or flags & _RESYNC or sequence > self._shown.sequence:
            if not flags & _RESYNC:
                self._waiting = False
            self._shown = Shown(attempt, sequence, state, available)

    def _note(self, sent: bytes, received: bytes) -> None:
        line = {"session": self.session, "sent": sent.hex(), "received": received.hex()}
        self.notes.write(json.dumps(line) + "\n")
        _, _, attempt, sequence, *_ = _TURN.unpack_from(received)
        self._furthest[attempt] = max(sequence, self._furthest.get(attempt, 0))
        self.acknowledged += 1
        self.last_at = time.monotonic()

    def _check(self, attempt: int, sequence: int) -> None:
        """What a person was shown is never lost."""
        if sequence < self._furthest.get(attempt, 0):
            self.went_back.append(
                f"session {self.session}, attempt {attempt}: {sequence} after {self._furthest[attempt]}"
            )

    async def _text(self, socket: ClientConnection, message: dict[str, object]) -> None:
        kind, code = message["type"], message.get("code")
        if kind == "session":
            self._shown, self._waiting = None, False
            self.over = message["stage"] == "over"
            if message["stage"] == "pause" and not message["paused"]:
                await socket.send(json.dumps({"type": "next"}))
        elif kind == "prompt":
            answer = {"type": "prompt_answered", "attempt": message["attempt"], "answer": "continue"}
            await socket.send(json.dumps(answer))
        elif kind == "error" and code in _ASKS_AGAIN:
            await socket.send(json.dumps({"type": "resync"}))
        elif kind == "error" and code not in _WAITS:
            self._waiting = False
