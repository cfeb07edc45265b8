"""`python -m tests.bench.wall_server`: a server in which 1,000 people play by themselves.

It is the subject of `tests.bench.wall`. Their sessions are in the database, and their turns are reported as
those of connected pages are. On `/ws/bench/` a number of seconds is an order to play for so long; the answer
is the processor time used meanwhile, in percent of a core.
"""

import asyncio
import json
import random
import sys
import time
from datetime import datetime
from typing import Any

import django
import numpy as np

from engine.frames import Frame, encode, keyframe
from engine.turns import NOT_FINISHED, EncodedFrames, EncodedTurn

STATIONS = 1_000
CELLS_CHANGED = 20
TICKS_A_SECOND = 100
TURNS_BETWEEN_PINGS = 25
LEVELS = 6
CODE = "bench"


def _boards() -> list[Frame]:
    """Two boards between which every turn goes."""
    other = np.zeros((64, 64), dtype=np.uint8)
    other.reshape(4096)[: 37 * CELLS_CHANGED : 37] = 9
    return [np.zeros((64, 64), dtype=np.uint8), other]


BOARDS = _boards()
CHANGES = [EncodedFrames(encode([BOARDS[0]], BOARDS[1])), EncodedFrames(encode([BOARDS[1]], BOARDS[0]))]
KEYFRAMES = [EncodedFrames(keyframe(board)) for board in BOARDS]


def turn_of(seq: int, frames: EncodedFrames) -> EncodedTurn:
    return EncodedTurn(
        state=NOT_FINISHED, level=1, levels=LEVELS, levels_completed=0, available_actions=(1,),
        level_completed=False, changed=True, full_reset=False, state_hash=bytes(8), seq=seq,
        frame_count=1, frames=frames,
    )  # fmt: skip


class Game:
    """As much of a hosted game as is asked for a keyframe."""

    alive = True
    seq = 0

    async def keyframe(self) -> EncodedTurn:
        return turn_of(self.seq, KEYFRAMES[self.seq % 2])


class Page:
    """As much of a session on a connection as observers read."""

    def __init__(self, attempt: Any) -> None:
        from playtest.play.attempt.loaded import LoadedAttempt

        self.session_id, self.game = attempt.session_id, Game()
        self.live = LoadedAttempt(attempt, game=self.game)  # type: ignore[arg-type]
        self.round_trip_ms = 20

    def act(self, moment: datetime) -> EncodedTurn:
        self.game.seq += 1
        self.live.seq, self.live.last_time = self.game.seq, moment
        if self.game.seq % TURNS_BETWEEN_PINGS == self.session_id % TURNS_BETWEEN_PINGS:
            self.round_trip_ms = 15 + self.game.seq % 10
        return turn_of(self.game.seq, CHANGES[self.game.seq % 2])


async def play(pages: list[Page], seconds: float) -> None:
    """Every page takes a turn a second, all of them spread evenly."""
    from playtest.play import observers
    from playtest.play.clock import now

    started, share = time.perf_counter(), len(pages) // TICKS_A_SECOND
    for tick in range(int(seconds * TICKS_A_SECOND)):
        first = tick % TICKS_A_SECOND * share
        for page in pages[first : first + share]:
            observers.turned(page, page.act(now()))  # type: ignore[arg-type]
        await asyncio.sleep(max(0.0, started + (tick + 1) / TICKS_A_SECOND - time.perf_counter()))


def make_sessions() -> list[Page]:
    """Sessions at stations of their own, each playing its first environment."""
    from playtest.center.stations.models import Station
    from playtest.people.models import Consent, Participant, Survey
    from playtest.play.clock import now
    from playtest.play.models import Attempt, Session, Study
    from playtest.studio.models import Environment

    at, environment, study = now(), Environment.objects.get(code="wk01"), Study.objects.get()
    protocol, count = study.newest_version, range(1, STATIONS + 1)
    Station.objects.bulk_create(
        Station(number=n, room=f"Room {n // 34}", token_hash=f"{CODE} {n}", registered_at=at) for n in count
    )
    people = Participant.objects.bulk_create(Participant(label=f"B-{n}", created_at=at) for n in count)
    consents = Consent.objects.bulk_create(Consent(participant=one, text="", given_at=at) for one in people)
    surveys = Survey.objects.bulk_create(Survey(participant=one, answered_at=at) for one in people)
    sessions = Session.objects.bulk_create(
        Session(
            study=study, participant=people[n - 1], protocol=protocol, code_hash=f"{CODE} {n}", station=n,
            created_at=at, checked_in_at=at, consent=consents[n - 1], survey=surveys[n - 1],
            tutorial_done_at=at,
        )
        for n in count
    )  # fmt: skip
    attempts = Attempt.objects.bulk_create(
        Attempt(
            session=one, participant_id=one.participant_id, environment=environment,
            version=environment.current, number=1, seed=1, assigned_at=at, first_frame_at=at,
        )
        for one in sessions
    )  # fmt: skip
    random.Random(STATIONS).shuffle(attempts)  # people who sit side by side do not act together
    return [Page(attempt) for attempt in attempts]


def add_control(pages: list[Page]) -> None:
    """Adds the socket by which the measuring process gives its orders."""
    from channels.generic.websocket import AsyncWebsocketConsumer
    from django.urls import path

    from playtest.center.routing import websocket_urlpatterns
    from playtest.play import observers

    class Control(AsyncWebsocketConsumer):
        async def connect(self) -> None:
            await self.accept()
            for page in pages:
                observers.opened(page)  # type: ignore[arg-type]

        async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
            used, started = time.process_time(), time.perf_counter()
            await play(pages, json.loads(text_data or ""))
            lasted = time.perf_counter() - started
            await self.send(json.dumps(100 * (time.process_time() - used) / lasted))

    websocket_urlpatterns.append(path("ws/bench/", Control.as_asgi()))  # type: ignore[arg-type]


def main() -> int:
    django.setup()
    from playtest.center.wall import watching
    from playtest.serve import web

    watching._KEPT_SECONDS = 0.5  # a round without viewers is to be without the wall
    add_control(make_sessions())
    return web.main()


if __name__ == "__main__":
    sys.exit(main())
