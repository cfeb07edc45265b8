"""The times when a station had no connection to the server: such time is not idle."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class Connection(StrEnum):
    """What became of a page's connection. SUPERSEDED: a newer page took over; this one will disconnect."""

    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Absence:
    """A time without a connection, in seconds.

    `since` None: it began unseen after the last action, because the server itself was down. `until` None: the
    connection never came back.
    """

    since: float | None
    until: float | None

    def after(self, start: float) -> "Absence":
        """The same with times relative to another moment."""
        return Absence(*(at if at is None else at - start for at in (self.since, self.until)))

    def within(self, begin: float, end: float) -> tuple[float, float]:
        """Its part between two consecutive actions; (begin, begin) if they do not overlap.

        An action is made with a connection, so that an absence lies between two of them.
        """
        since = begin if self.since is None else self.since
        until = end if self.until is None else self.until
        began_here = begin < until <= end if self.since is None else begin <= since < end
        return (since, min(end, until)) if began_here else (begin, begin)


def absences(events: Iterable[tuple[Connection, float]]) -> list[Absence]:
    """The times without a connection, from a session's events in order, each with its second.

    Before the first event the station counts as connected. A connection that comes while another is there
    either takes over from it, which that one notices, or follows the end of the server both were made to.
    """
    found: list[Absence] = []
    away_since: float | None = None
    taken_over, seen = 0, False
    for (kind, at), (following, _) in pairwise([*events, (Connection.CONNECTED, 0.0)]):
        if kind == Connection.SUPERSEDED:
            taken_over += 1
        elif kind == Connection.DISCONNECTED and taken_over:
            taken_over -= 1
        elif kind == Connection.DISCONNECTED:
            away_since = at if away_since is None else away_since
        elif away_since is not None:
            found.append(Absence(away_since, at))
            away_since = None
        elif seen and not taken_over and following != Connection.SUPERSEDED:
            found.append(Absence(None, at))
        seen = seen or kind == Connection.CONNECTED
    return found if away_since is None else [*found, Absence(away_since, None)]


def seconds_away(times: Iterable[Absence], begin: float, end: float) -> float:
    """The seconds without a connection between two consecutive actions."""
    away, reached = 0.0, begin
    for since, until in sorted(absence.within(begin, end) for absence in times):
        away += max(0.0, until - max(since, reached))
        reached = max(reached, until)
    return away
