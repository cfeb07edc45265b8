"""Sessions for tests of the wall, as the database has them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from engine.play.frames import Frame, encode
from playtest.center.wall.facts import OpenAttempt, SessionFacts
from playtest.center.wall.news import NO_BASE, TurnNews
from playtest.play.sessions.reads import Stage
from playtest.rules.kinds import Kind
from playtest.rules.protocol import DEFAULT

START = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
NOW = START + timedelta(minutes=30)


def facts(session: int, stage: Stage = Stage.PLAYING, **changes: Any) -> SessionFacts:
    """A session that has been in progress for half an hour, in its first environment for one minute."""
    playing, begun = stage == Stage.PLAYING, NOW - timedelta(minutes=1)
    usual = {
        "session": session,
        "station": session,
        "study": "Autumn",
        "rehearsal": False,
        "participant": f"P-{session:05}",
        "stage": stage,
        "checked_in_at": START,
        "ended_at": None,
        "limits": DEFAULT.limits,
        "away": DEFAULT.away,
        "attempt": OpenAttempt(session, 1, "wk01", 6, begun, Kind("interactive")) if playing else None,
    }
    return SessionFacts(**{**usual, **changes})


def frame(colour: int, *cells: int) -> Frame:
    """A board of one colour with some cells in colour 9."""
    made = np.full(4096, colour, dtype=np.uint8)
    made[list(cells)] = 9
    return made.reshape(64, 64)


def turn(
    session: int, seq: int, frames: list[Frame], before: Frame | None = None, **changes: Any
) -> TurnNews:
    """The news of one or more turns up to `seq`; a keyframe first unless `before` is given."""
    usual = {
        "session": session,
        "attempt": 1,
        "base": NO_BASE if before is None else seq - len(frames),
        "seq": seq,
        "level": 1,
        "levels_completed": 0,
        "state": 0,
        "acted_at": NOW.timestamp() - 1 if seq else 0.0,
        "frames": encode(frames, before),
    }
    return TurnNews(**{**usual, **changes})
