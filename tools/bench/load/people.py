"""People in a process of their own, written from docs/wire.md: shares no code with the server.

`python -m tools.bench.load.people ADDRESS PORT` reads one JSON object from standard input: {"seats": [cookie,
...], "seconds", "echo": true for a bare server that answers every message}. It prints "ready" once everybody
is connected and has a frame, reads when to start by the monotonic clock, and prints at the end one JSON
object, described at `Crowd.report`.

Load is open: each person's actions are due at fixed times, spread evenly over all people, and the time of an
answer is counted from when its action was due. So a server that stalls cannot slow the clock down. An action
that is due before the one before it is answered is made right after that; a disconnected person makes none.
"""

import gc
import heapq
import json
import random
import selectors
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from itertools import count
from typing import Any

from tools.bench.load.socket_frames import CLOSE, PING, PONG, TEXT, FramedSocket

ACTION = struct.Struct("<BBHIBBBBHd")
TURN = struct.Struct("<BBHIBBBBH")
CLICK, RESET = 6, 0
LOST_AFTER_SECONDS = 20.0
READY_WITHIN_SECONDS = 150.0
FIRST_DELAY, LONGEST_DELAY = 0.25, 0.5
CONNECTING_AT_ONCE = 20
FAULTS_OF_THE_CLIENT = {"malformed_message", "message_too_large", "coordinates_out_of_range"}
ASKED_FOR = {
    "wrong_sequence", "wrong_attempt", "no_open_attempt", "not_now", "action_unavailable", "reset_required",
    "too_many_messages",
}  # fmt: skip


class Person:
    """One person. `due` is when the action that is not answered yet was due; `waiting` are those after it."""

    def __init__(self, crowd: "Crowd", seat: str, number: int) -> None:
        self.seat = seat
        self.socket: FramedSocket | None = None
        self.present = self.over = False
        self.due: float | None = None
        self.waiting: deque[float] = deque()
        self.sequence = 0
        self._attempt = self._state = self._available = 0
        self._sent = 0.0
        self._refused = False
        self._delay = FIRST_DELAY
        self._draws = random.Random(number)
        self._crowd = crowd

    def enter(self) -> None:
        """Connects; the frame to continue from makes this person present."""
        self.socket = self._crowd.connect(self)

    def want(self, due: float) -> None:
        """Acts now, or once the action before is answered; not at all while disconnected."""
        if self.present and not self.over:
            self.waiting.append(due)
            self._act()

    def give_up(self, moment: float) -> None:
        """Counts an action that nobody answers as lost."""
        if self.due is not None and moment - self._sent > LOST_AFTER_SECONDS:
            self._crowd.lost += 1
            self.due = None
            self._act()

    def heard(self, kind: int, payload: bytes) -> None:
        """One frame of the server."""
        if kind == PING:
            self._say(payload, PONG)
        elif kind == CLOSE:
            self.disconnected()
        elif self._crowd.echo:
            self._answered()
        elif kind == TEXT:
            self._heard_text(json.loads(payload))
        else:
            self._heard_turn(payload)

    def disconnected(self) -> None:
        """Comes back as the page does, with a delay that doubles; what was not answered is not made again."""
        if self.socket is not None:
            self._crowd.disconnect(self.socket)
        self.socket = None
        self.present, self.due = False, None
        self.waiting.clear()
        delay = self._delay * self._draws.uniform(0.5, 1.0)
        self._delay = min(2 * self._delay, LONGEST_DELAY)
        self._crowd.later(time.monotonic() + delay, self.enter)

    def arrived(self) -> None:
        """There is a frame to continue from, or the echo answers."""
        if not self.present:
            self.present, self._delay = True, FIRST_DELAY
            self._crowd.came(self)

    def _act(self) -> None:
        if self.due is None and self.waiting:
            self.due, self._refused, self._sent = self.waiting.popleft(), False, time.monotonic()
            self._say(self._action())

    def _action(self) -> bytes:
        offered = [action for action in range(1, 8) if self._available >> action & 1]
        action = RESET if self._state == 2 or not offered else self._draws.choice(offered)
        x, y = (self._draws.randrange(64), self._draws.randrange(64)) if action == CLICK else (0, 0)
        after = (0, 65_535, time.time() * 1000)
        return ACTION.pack(1, 1, self._attempt, self.sequence + 1, action, x, y, *after)

    def _heard_text(self, message: dict[str, Any]) -> None:
        """A refusal: the frame to continue from comes by itself, or is asked for."""
        if message["type"] == "error":
            code = message["code"]
            if code in FAULTS_OF_THE_CLIENT:
                raise AssertionError(code)
            self._crowd.refused[code] += 1
            self._refused = True
            if code in ASKED_FOR:
                self._say(b'{"type": "resync"}', TEXT)
        elif message["type"] == "session" and message["stage"] == "pause":
            self._say(b'{"type": "next"}', TEXT)
        elif message["type"] == "session" and message["stage"] == "over":
            self.over = True
            self.arrived()

    def _heard_turn(self, message: bytes) -> None:
        before = (self._attempt, self.sequence)
        _, flags, attempt, sequence, _, _, self._state, self._available, _ = TURN.unpack_from(message)
        if not flags & 4 and (attempt, sequence) != (self._attempt, self.sequence + 1):
            raise AssertionError(f"turn {sequence} of attempt {attempt} came after {self.sequence}")
        self._attempt, self.sequence = attempt, sequence
        self.arrived()
        # What staff or an outage changed is shown by a turn that answers nothing.
        if self.due is not None and (self._refused or before != (attempt, sequence)):
            self._answered()

    def _answered(self) -> None:
        if self.due is not None and not self._refused:
            self._crowd.answers.append((self.due, time.monotonic()))
        self.due = None
        self._act()

    def _say(self, payload: bytes, kind: int = 2) -> None:
        if self.socket is not None:
            self.socket.send(payload, kind)


class Crowd:
    """All people of this process, in one loop."""

    def __init__(self, address: str, port: int, seats: list[str], *, echo: bool) -> None:
        self.answers: list[tuple[float, float]] = []
        self.reconnected: list[float] = []
        self.lost = 0
        self.refused: Counter[str] = Counter()
        self.echo = echo
        self._where = (address, port)
        self._selector = selectors.DefaultSelector()
        self._times: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._playing = False
        self._people = [Person(self, seat, at) for at, seat in enumerate(seats)]
        self._outside = deque(self._people)

    def connect(self, person: Person) -> FramedSocket:
        made = FramedSocket(self._where, "/" if self.echo else "/ws/session/", f"seat={person.seat}")
        self._selector.register(made.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, (made, person))
        return made

    def disconnect(self, socket: FramedSocket) -> None:
        self._selector.unregister(socket.socket)
        socket.socket.close()

    def later(self, at: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._times, (at, next(self._numbers), call))

    def came(self, person: Person) -> None:
        if self._playing:
            self.reconnected.append(time.monotonic())
        elif self._outside:
            self._outside.popleft().enter()

    def gather(self) -> None:
        """Everybody connects, a few at a time. Raises AssertionError if that takes too long."""
        until = time.monotonic() + READY_WITHIN_SECONDS
        for _ in range(min(CONNECTING_AT_ONCE, len(self._people))):
            self._outside.popleft().enter()
        while not all(one.present for one in self._people):
            if time.monotonic() > until:
                raise AssertionError(f"{sum(not one.present for one in self._people)} could not connect")
            self._turn(until)

    def play(self, starts: float, seconds: float) -> None:
        """Everybody acts until the time is over, and what is under way is waited for."""
        self._playing = True
        for at, person in enumerate(self._people):
            self._plan(person, starts + at / len(self._people), starts + seconds)
        self.later(starts, self._give_up)
        ends = starts + seconds
        while (now := time.monotonic()) < ends + LOST_AFTER_SECONDS:
            if now >= ends and all(one.present and one.due is None for one in self._people):
                break
            self._turn(ends if now < ends else ends + LOST_AFTER_SECONDS)

    def report(self) -> dict[str, Any]:
        """`answers`: (due, answered) by the monotonic clock; what was never answered counts until now.

        `reconnected`: when each person had a frame again; `away`: who had none at the end.
        """
        now = time.monotonic()
        overdue = [due for one in self._people for due in [*one.waiting, *([one.due] if one.due else [])]]
        return {
            "answers": self.answers + [(due, now) for due in overdue],
            "reconnected": self.reconnected,
            "away": sum(not one.present for one in self._people),
            "lost": self.lost,
            "refused": self.refused,
            "sequences": {one.seat: one.sequence for one in self._people},
        }

    def _plan(self, person: Person, due: float, until: float) -> None:
        def act() -> None:
            person.want(due)
            self._plan(person, due + 1, until)

        if due < until:
            self.later(due, act)

    def _give_up(self) -> None:
        now = time.monotonic()
        for person in self._people:
            person.give_up(now)
        self.later(now + 1, self._give_up)

    def _turn(self, until: float) -> None:
        now = time.monotonic()
        while self._times and self._times[0][0] <= now:
            heapq.heappop(self._times)[2]()
        soon = min(until, self._times[0][0]) if self._times else until
        for key, events in self._selector.select(max(0.0, soon - time.monotonic())):
            made, person = key.data
            if made is person.socket:
                self._serve(made, person, events)

    def _serve(self, made: FramedSocket, person: Person, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            made.flush()
            self._selector.modify(made.socket, selectors.EVENT_READ, (made, person))
        was_open = made.open
        frames = made.receive() if events & selectors.EVENT_READ else []
        if made.open and not was_open and self.echo:
            person.arrived()
        for kind, payload in frames:
            person.heard(kind, payload)
        if made.ended and made is person.socket:
            person.disconnected()


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    crowd = Crowd(sys.argv[1], int(sys.argv[2]), asked["seats"], echo=asked["echo"])
    crowd.gather()
    gc.freeze()  # a collection here would delay answers that the server has given
    print("ready", flush=True)
    crowd.play(float(sys.stdin.readline()), asked["seconds"])
    print(json.dumps(crowd.report()), flush=True)


if __name__ == "__main__":
    main()
