"""How fast one connection may send: a bucket that refills steadily."""

from enum import Enum

MESSAGES_A_SECOND = 50
BURST = 100
REFUSALS_BEFORE_CLOSING = 1_000


class Verdict(Enum):
    TAKE = "take"
    REFUSE = "refuse"
    CLOSE = "close"


class Pace:
    """One connection's bucket. Times are seconds of any clock that never goes back (`play.clock`)."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at: float | None = None
        self._refused = 0

    def take(self, at: float) -> Verdict:
        """Judge one message that arrives at `at`."""
        if self._at is not None:
            self._left = min(BURST, self._left + (at - self._at) * MESSAGES_A_SECOND)
        self._at = at
        if self._left >= 1:
            self._left -= 1
            self._refused = max(0, self._refused - 1)
            return Verdict.TAKE
        self._refused += 1
        return Verdict.CLOSE if self._refused > REFUSALS_BEFORE_CLOSING else Verdict.REFUSE
