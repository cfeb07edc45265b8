"""How many pages of people who play are connected to this process."""

from playtest.play.observers import Observer
from playtest.play.page.connected_session import ConnectedSession


class OpenPages(Observer):
    """Counts them; needs no turns."""

    def __init__(self) -> None:
        self.count = 0

    def opened(self, session: ConnectedSession) -> None:
        self.count += 1

    def closed(self, session: ConnectedSession) -> None:
        self.count -= 1


open_pages = OpenPages()
