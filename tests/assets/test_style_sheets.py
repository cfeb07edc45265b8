"""Style sheets style what pages have, with the values of the design: colours and type are tokens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.once

ROOT = Path(settings.BASE_DIR)
STATIC = ROOT / "static"
SHEETS = sorted(path for path in STATIC.rglob("*.css") if "vendor" not in path.parts)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"([^{};]+)\{")
CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")
SIZE = re.compile(r"(?<![\w-])font-size:\s*([\d.]+rem)")
OF_SCALE = ("staff", "insight", "review", "studio", "arena")
"""Rooms whose type is of the scale; what participants and the wall read is sized by the screen."""


def rules(sheet: Path) -> str:
    """The sheet without comments, and without texts that may look like selectors."""
    return re.sub(r'"[^"]*"|url\([^)]*\)', '""', COMMENT.sub("", sheet.read_text()))


def used_names() -> tuple[set[str], set[str]]:
    """Every word of templates, modules and Python; and how names begin that are put together."""
    files = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "playtest").rglob("*.py"),
        *(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts),
    ]
    texts = [file.read_text() for file in files]
    whole = {name for text in texts for name in re.findall(r"[A-Za-z_][\w-]*", text)}
    put_together = re.compile(r"""([A-Za-z_][\w-]*-)\$\{|class="[^"]*?([\w-]+-)\{\{""")
    return whole, {name for text in texts for pair in put_together.findall(text) for name in pair if name}


def test_every_class_that_is_styled_is_used() -> None:
    used, beginnings = used_names()
    unused = []
    for sheet in SHEETS:
        selectors = [text for text in SELECTOR.findall(rules(sheet)) if not text.strip().startswith("@")]
        for name in sorted({name for text in selectors for name in CLASS.findall(text)}):
            if name not in used and name[: name.rfind("-") + 1] not in beginnings:
                unused.append(f"{sheet.relative_to(STATIC)}: .{name}")
    assert unused == [], "nothing has these classes: remove their rules"


def declarations(sheet: Path) -> Iterator[str]:
    """Each declaration that uses values; those that define tokens are left out."""
    for declaration in re.split(r"[;{}]", rules(sheet)):
        text = declaration.strip()
        if ":" in text and not text.startswith("--"):
            yield text


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.relative_to(STATIC)))
def test_colours_are_tokens(sheet: Path) -> None:
    assert [text for text in declarations(sheet) if COLOUR.search(text)] == []


@pytest.mark.parametrize("room", OF_SCALE)
def test_type_is_of_the_scale(room: str) -> None:
    sheets = [sheet for sheet in SHEETS if sheet.relative_to(STATIC).parts[0] == room]
    sizes = [(sheet.name, size) for sheet in sheets for size in SIZE.findall(rules(sheet))]
    assert sizes == []
