"""What is counted while pages are served: answers 5xx, sign-ins that are refused, open pages of people.

Each process counts for its `/metrics`; what happened lately is counted in the cache, by all together.
"""

from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from prometheus_client import Counter, Gauge

from playtest.play.clock import machine_now

_KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Lately:
    """How many there were, and when the first was. An hour after the last one it is none."""

    number: int = 0
    since: datetime | None = None


class Counted:
    """One kind of what is counted."""

    def __init__(self, name: str, text: str) -> None:
        self._total = Counter(f"playtest_{name}", text)
        self._number, self._since = f"counted:{name}", f"counted:{name}:since"

    def count(self, **_: object) -> None:
        """One more. Also a receiver of signals."""
        self._total.inc()
        for key, first in ((self._number, 0), (self._since, machine_now())):
            if not cache.add(key, first, _KEPT_SECONDS):
                cache.touch(key, _KEPT_SECONDS)
        try:
            cache.incr(self._number)
        except ValueError:  # it was forgotten between the two calls
            cache.set(self._number, 1, _KEPT_SECONDS)

    def lately(self) -> Lately:
        """Those of the last hour, and of before as long as no hour was without any."""
        found = cache.get_many([self._number, self._since])
        return Lately(found.get(self._number, 0), found.get(self._since))


server_errors = Counted("server_errors", "Requests that were answered with 5xx")
locked_sign_ins = Counted("locked_sign_ins", "Sign-ins that were refused after too many wrong ones")


_open_pages = Gauge("playtest_open_pages", "Connected pages of people who play")


def count_opened(**_: object) -> None:
    _open_pages.inc()


def count_closed(**_: object) -> None:
    _open_pages.dec()
