"""How many requests a key may make: counted in this process alone, which costs an action nothing.

Several processes count for themselves: with n of them a key may reach n times its limit, less where requests
come back to the same process (see the cookie in `application`).
"""

import math
from collections import deque

WINDOW_SECONDS = 60.0
_ROUNDING = 1e-6  # so that who waits as long as they were told is not refused for a rounding


class Window:
    """The requests of one key within the last minute, by any clock that never goes back (seconds)."""

    def __init__(self) -> None:
        self._accepted: deque[float] = deque()

    def seconds_to_wait(self, at: float, most: int) -> int:
        """0 if a request at `at` is accepted, and it counts; else whole seconds after which to try again."""
        accepted = self._accepted
        while accepted and at - accepted[0] >= WINDOW_SECONDS - _ROUNDING:
            accepted.popleft()
        if len(accepted) < most:
            accepted.append(at)
            return 0
        return (
            max(1, math.ceil(accepted[len(accepted) - most] + WINDOW_SECONDS - at - _ROUNDING))
            if most
            else 60
        )
