"""What tests of the replay page ask of it."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page

type Open = Callable[..., Locator]
"""The replay of an attempt, at what an address says after the path; gives the player."""

BLUE = [30, 147, 255]  # the walker of wk01


def colour_at(page: Page, x: int, y: int) -> list[int]:
    """Red, green and blue of a cell on the board."""
    script = (
        "([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data]"
    )
    found: list[int] = page.evaluate(script, [x, y])
    return found[:3]
