"""For how long the journal's writer may have been unable to store anything.

The writer says when it is well: whenever it has stored something, and every second in which nothing waits for
it. If it says nothing for longer, the database does not answer, or the process was stopped.
"""

import time

from playtest.rules.outages import LONGEST_STALL

SECONDS_BETWEEN_LOOKS = 1.0
"""A writer for which nothing waits looks around so often."""
_MOST_SECONDS = LONGEST_STALL.total_seconds()


class Stall:
    """How one writer is. Before its first `end`, there is no stall."""

    def __init__(self) -> None:
        self._well_at: float | None = None
        self._has_failed = False

    @property
    def seconds(self) -> float:
        """For how long it has not been well."""
        return 0.0 if self._well_at is None else time.monotonic() - self._well_at

    @property
    def is_under_way(self) -> bool:
        """Whether nothing can be stored at the moment, for longer than a writer without work is silent."""
        return self.seconds > _MOST_SECONDS + SECONDS_BETWEEN_LOOKS or (self._has_failed and self.is_outage)

    @property
    def is_outage(self) -> bool:
        """Whether it lasts so long that it is an outage."""
        return self.seconds > _MOST_SECONDS

    @property
    def has_failed(self) -> bool:
        """Whether the newest row could not be stored."""
        return self._has_failed

    def begin(self) -> None:
        """Something could not be stored."""
        self._has_failed = True

    def end(self) -> None:
        """Something could be stored."""
        self._well_at, self._has_failed = time.monotonic(), False

    def waited(self, seconds: float) -> None:
        """Nothing waited for so long: well, unless something has failed or the process was stopped then."""
        is_late = seconds > _MOST_SECONDS + SECONDS_BETWEEN_LOOKS
        if self._well_at is not None and not self._has_failed and not is_late:
            self._well_at = time.monotonic()


of_writer = Stall()
"""That of the writer of this process (`play.journal.writer`)."""
