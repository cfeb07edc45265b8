"""Signs of life of the pages of sessions: when each was heard last, in this process and by heartbeats.

A heartbeat carries them to the other processes, and to the one that follows at the same address.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import OuterRef, Subquery

from playtest.play.clock import now
from playtest.play.models import Entry, Heartbeat, Session

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
        return self.last_of([session]).get(session)

    def last_of(self, sessions: Collection[int]) -> dict[int, datetime]:
        """As `last`, by session, in two reads; without those of which no sign ever came."""
        carried = list(Heartbeat.objects.values_list("signs", flat=True))
        moment, found = now(), {}
        for session in sessions:
            key = f"{_KEY}{session}"
            signs = [datetime.fromisoformat(one[key]) for one in carried if one.get(key)]
            if session in self._heard:
                signs.append(self._heard[session])
            if signs:
                found[session] = max(signs)
        acted = Entry.objects.filter(attempt__session=OuterRef("pk"), attempt__ended_at__isnull=True)
        newest = Subquery(acted.order_by("-attempt", "-seq").values("server_time")[:1])
        rows = Session.objects.filter(pk__in=found).annotate(newest=newest).values_list("pk", "newest")
        found |= {session: max(at, found[session]) for session, at in rows if at is not None}
        return found | {session: moment for session in sessions if self._silent[session] > 0}

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
