"""When no server could record, from the signs of life that servers left: heartbeats, turns, events.

A server that runs knows when it could record nothing, such as while the database did not answer. That is an
outage even if it is short. A silence that nobody who runs can vouch for has to be longer.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

LONGEST_SILENCE = timedelta(seconds=20)
"""Servers that run leave a sign at least every ten seconds: a longer silence is an outage."""
LONGEST_STALL = timedelta(seconds=3)
"""A server that could record nothing for longer knows of an outage, unless another one left signs of life."""


class Outage(NamedTuple):
    """From `start` on no server could record anything, until `end`."""

    start: datetime
    end: datetime


def outages(
    last: datetime,
    signs: Iterable[datetime],
    now: datetime,
    started: datetime | None = None,
    *,
    longest: timedelta = LONGEST_SILENCE,
) -> list[Outage]:
    """The outages between the sign `last` and `now`, in order.

    `signs` are those in between, in any order. `started` is when the only server there is was started, if
    that was in between: the silence around it is an outage, however short. `longest` is the longest silence
    that is none: LONGEST_STALL if a server knows that it could record nothing in all that time.
    """
    moments = [last, *sorted(sign for sign in signs if last < sign < now), now]
    return [
        Outage(start, end)
        for start, end in pairwise(moments)
        if end - start > longest or (started is not None and start < end and start <= started <= end)
    ]
