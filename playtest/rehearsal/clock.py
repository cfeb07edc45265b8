"""Virtual time: a clock that stands still until it is advanced, shared by the processes of a rehearsal."""

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from playtest.play.clock import set_clock
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.seats import set_rule

_POLL_SECONDS = 0.005
_BYTES = 8
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class VirtualClock:
    """A clock in a file that every process of a rehearsal maps into its memory."""

    def __init__(self, path: Path | str) -> None:
        with Path(path).open("r+b") as file:
            # A number, written at once: `struct` sets all bytes to zero before it writes them.
            self._microseconds = memoryview(mmap.mmap(file.fileno(), _BYTES)).cast("q")

    @classmethod
    def create(cls, path: Path, moment: datetime) -> Self:
        """A new clock that shows `moment`."""
        path.write_bytes(bytes(_BYTES))
        clock = cls(path)
        clock.advance(moment)
        return clock

    def now(self) -> datetime:
        return _EPOCH + timedelta(microseconds=self._microseconds[0])

    def seconds_until(self, moment: datetime) -> float:
        """The clock can be advanced at any time and notifies nobody, so it is polled."""
        return 0.0 if self.now() >= moment else _POLL_SECONDS

    def advance(self, moment: datetime) -> None:
        """Show `moment`; nothing happens when that is in the clock's past."""
        microseconds = (moment - _EPOCH) // timedelta(microseconds=1)
        self._microseconds[0] = max(self._microseconds[0], microseconds)


@contextmanager
def virtual_time(clock: VirtualClock) -> Iterator[None]:
    """Gives this process the clock's time for a while. Meanwhile it serves rehearsals only."""
    clock_before, rule_before = set_clock(clock), set_rule(_rehearsals_only)
    try:
        yield
    finally:
        set_clock(clock_before)
        set_rule(rule_before)


def _rehearsals_only(study: Study) -> Refusal | None:
    """Virtual time must not date what happens in a real study."""
    if study.rehearsal:
        return None
    return Refusal("rehearsal_only", "A rehearsal runs here. Please go to another station.", status=403)
