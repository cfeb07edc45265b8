"""How fast one connection may send: a token bucket that refills steadily."""

from enum import Enum

MESSAGES_A_SECOND = 50
BURST = 100
REFUSALS_BEFORE_CLOSING = 1_000


class Verdict(Enum):
    ACCEPT = "accept"
    REFUSE = "refuse"
    CLOSE = "close"


class RateLimit:
    """One connection's bucket. Times are seconds of any clock that never goes back (`play.clock`)."""

    def __init__(self) -> None:
        self._tokens = float(BURST)
        self._at: float | None = None
        self._refused = 0

    def judge(self, at: float) -> Verdict:
        """The verdict on one message that arrives at `at`; an accepted one takes a token."""
        if self._at is not None:
            self._tokens = min(BURST, self._tokens + (at - self._at) * MESSAGES_A_SECOND)
        self._at = at
        if self._tokens >= 1:
            self._tokens -= 1
            self._refused = max(0, self._refused - 1)
            return Verdict.ACCEPT
        self._refused += 1
        return Verdict.CLOSE if self._refused > REFUSALS_BEFORE_CLOSING else Verdict.REFUSE
