"""When no server was up, from the signs of life that servers left: heartbeats, turns, events."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

LONGEST_SILENCE = timedelta(seconds=20)
"""Servers that run leave a sign at least every ten seconds: a longer silence is an outage."""


class Outage(NamedTuple):
    """From `start` on no server was up, until `end`."""

    start: datetime
    end: datetime


def outages(
    last: datetime, signs: Iterable[datetime], now: datetime, started: datetime | None = None
) -> list[Outage]:
    """The outages between the sign `last` and `now`, in order.

    `signs` are those in between, in any order. `started` is when the only server there is was started, if
    that was in between: the silence around it is an outage, however short.
    """
    moments = [last, *sorted(sign for sign in signs if last < sign < now), now]
    return [
        Outage(start, end)
        for start, end in pairwise(moments)
        if end - start > LONGEST_SILENCE or (started is not None and start < end and start <= started <= end)
    ]
