"""Signs of life of the pages of sessions: when each was heard last, in this process and by heartbeats.

A heartbeat carries them to the other processes, and to the one that follows at the same address.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from playtest.play.clock import now
from playtest.play.models import Entry, Heartbeat

_FORGOTTEN_AFTER = timedelta(hours=12)
_KEY = "s"
"""Before a number: Django takes a key of digits for a place in a list."""


class Signs:
    """What this process heard, by session. Pages that never ping are taken to be there while connected."""

    def __init__(self) -> None:
        self._heard: dict[int, datetime] = {}
        self._silent: Counter[int] = Counter()
        self._read = False

    def heard(self, session: int, at: datetime) -> None:
        """A page of the session gave a sign."""
        self._heard[session] = max(at, self._heard.get(session, at))

    def here(self, session: int) -> datetime | None:
        """When this process heard its pages last."""
        return self._heard.get(session)

    def opened(self, session: int) -> None:
        """A page is connected that never pings."""
        self._silent[session] += 1

    def closed(self, session: int, at: datetime) -> None:
        """A page that never pings is away from now on."""
        self._silent[session] -= 1
        self.heard(session, at)

    def last(self, session: int) -> datetime | None:
        """The last sign of the session's pages in any process, or its last action; None if none ever came."""
        if self._silent[session] > 0:
            return now()
        carried = Heartbeat.objects.values_list(f"signs__{_KEY}{session}", flat=True)
        found = [datetime.fromisoformat(at) for at in carried if at]
        if session in self._heard:
            found.append(self._heard[session])
        if not found:
            return None
        acted = Entry.objects.filter(attempt__session=session, attempt__ended_at__isnull=True)
        newest = acted.order_by("-attempt", "-seq").values_list("server_time", flat=True)[:1]
        return max([*found, *newest])

    def carried(self, before: Mapping[str, str]) -> dict[str, str]:
        """What a heartbeat carries; `before`: what the one before at this address did."""
        if not self._read:
            for key, carried in before.items():
                self.heard(int(key.removeprefix(_KEY)), datetime.fromisoformat(carried))
            self._read = True
        moment = now()
        for session, pages in list(self._silent.items()):
            if pages > 0:
                self.heard(session, moment)
            else:
                del self._silent[session]
        for session, at in list(self._heard.items()):
            if moment - at > _FORGOTTEN_AFTER:
                del self._heard[session]
        return {f"{_KEY}{session}": at.isoformat() for session, at in list(self._heard.items())}


signs = Signs()
"""Those of this process."""
