"""The tokens of the design, read from the style sheets themselves: name, value, and value in dark."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

SHEETS = ("shared/tokens.css", "staff/theme.css")
FIGURES = "insight/figures.css"
_DARK = "prefers-color-scheme: dark"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLOCK = re.compile(r"@media([^{]+)\{((?:[^{}]+\{[^{}]*\})+)\s*\}|[^{}@]+\{([^{}]*)\}")
_BOTH = re.compile(r"light-dark\((#\w+), (#\w+)\)")
_TOKEN = re.compile(r"(--[\w-]+):\s*([^;]+);")


class Token(NamedTuple):
    """One custom property; `dark` is empty where its value is the same in dark."""

    name: str
    value: str
    dark: str = ""

    @property
    def is_colour(self) -> bool:
        return self.value.startswith("#")


class Group(NamedTuple):
    """Tokens of one kind, with how they are shown: as space, type, colour or text alone."""

    title: str
    sample: str
    tokens: tuple[Token, ...]


@cache
def groups() -> tuple[Group, ...]:
    """Every token of the shared sheets, and the colours of figures."""
    shared = [token for sheet in SHEETS for token in tokens(_text(sheet))]
    kinds = {"--space-": ("Space", "space"), "--text-": ("Type", "type")}
    of_kind = {
        title: Group(title, sample, tuple(token for token in shared if token.name.startswith(prefix)))
        for prefix, (title, sample) in kinds.items()
    }
    rest = [token for token in shared if not token.name.startswith(tuple(kinds))]
    return (
        *of_kind.values(),
        Group("Colour", "colour", tuple(token for token in rest if token.is_colour)),
        Group("Colours of figures", "colour", tuple(_of_figures())),
        Group("Other measures", "", tuple(token for token in rest if not token.is_colour)),
    )


def tokens(sheet: str) -> Iterator[Token]:
    """The custom properties of a style sheet, in the order in which it first names them."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for media, within, block in _BLOCK.findall(_COMMENT.sub("", sheet)):
        if not media:
            light = dict(_TOKEN.findall(block)) | light
        elif media.strip() == f"({_DARK})" or media.strip() == f"screen and ({_DARK})":
            dark |= dict(_TOKEN.findall(within))
    yield from (_token(name, value, dark.get(name, value)) for name, value in light.items())


def _token(name: str, light: str, dark: str) -> Token:
    if both := _BOTH.fullmatch(light):
        light, dark = both.groups()
    return Token(name, light, dark if dark != light else "")


def _of_figures() -> Iterator[Token]:
    """Fills alone: each has an edge and an ink of the same name, for contrast."""
    for token in tokens(_text(FIGURES)):
        if token.is_colour and not token.name.endswith(("-edge", "-ink")):
            yield token


def _text(sheet: str) -> str:
    return (Path(settings.BASE_DIR) / "static" / sheet).read_text()
