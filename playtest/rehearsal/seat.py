"""Where a simulated person sits, and how a station stops working."""

import asyncio
from dataclasses import dataclass

from playtest.rehearsal.people import Person


@dataclass(frozen=True)
class Seat:
    """A person with a session, its code, and the cookie of a station."""

    person: Person
    session: int
    code: str
    station: str


class Breakdown:
    """A station that stops working in the middle of play.

    `happened` is set then; the person continues at the station whose cookie is the result of `station`.
    """

    def __init__(self, after_actions: int) -> None:
        self.after_actions = after_actions
        self.happened = asyncio.Event()
        self.station: asyncio.Future[str] = asyncio.get_running_loop().create_future()
