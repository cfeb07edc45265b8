"""A clock that stands still, at nine o'clock on the center's first Monday in March 2026."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from playtest.play.clock import Clock, set_clock

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


class StandingClock(Clock):
    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def seconds_until(self, moment: datetime) -> float:
        return 0.0

    def advance(self, **amount: float) -> None:
        self.moment += timedelta(**amount)


@pytest.fixture
def clock() -> Iterator[StandingClock]:
    standing = StandingClock(MONDAY)
    before = set_clock(standing)
    yield standing
    set_clock(before)
