"""How many pages of people who play are connected to this process."""

from playtest.play.signals import page_closed, page_opened


class OpenPages:
    """Counts them."""

    def __init__(self) -> None:
        self.count = 0

    def start(self) -> None:
        """Count from now on."""
        page_opened.connect(self.opened)
        page_closed.connect(self.closed)

    def opened(self, **_: object) -> None:
        self.count += 1

    def closed(self, **_: object) -> None:
        self.count -= 1


open_pages = OpenPages()
