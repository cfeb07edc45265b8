"""How many pages of people who play are connected to this process."""

from playtest.play.live_session import LiveSession
from playtest.play.observers import Observer


class OpenPages(Observer):
    """Counts them; needs no turns."""

    def __init__(self) -> None:
        self.count = 0

    def opened(self, session: LiveSession) -> None:
        self.count += 1

    def closed(self, session: LiveSession) -> None:
        self.count -= 1


open_pages = OpenPages()
