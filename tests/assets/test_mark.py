"""The mark of the product: on every page, and in colours of its own."""

import re
from pathlib import Path

from django.conf import settings
from django.test import Client

FOLDER = Path(settings.BASE_DIR) / "static"


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_mark_is_seen_on_light_and_dark_and_has_no_colour_of_a_board() -> None:
    mark, theme = ((FOLDER / name).read_text() for name in ("shared/mark.svg", "staff/theme.css"))
    palette = (FOLDER / "shared/palette.js").read_text()
    (paper,) = re.findall(r"--pico-background-color: light-dark\((#\w+), (#\w+)\)", theme)
    colours = re.findall(r"color: (#\w{6})", mark)
    assert len(colours) == 2
    for colour, background in zip(colours, paper, strict=True):
        assert f"0x{colour[1:]}" not in palette
        light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_pages_of_staff_and_participants_and_errors_have_the_mark(client: Client, db: None) -> None:
    for address in ("/staff/sign-in/", "/", "/nowhere/"):
        assert re.search(
            r'rel="icon" href="/static/shared/mark[^"]*svg"', client.get(address).content.decode()
        ), address
