"""What docs/alarms.md says, for the page in the product: a heading is an alarm's code."""

import re
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

DOCUMENT = settings.BASE_DIR / "docs" / "alarms.md"
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")


class Alarm(NamedTuple):
    """A code, and its paragraphs as HTML."""

    code: str
    paragraphs: tuple[SafeString, ...]


@cache
def paragraphs() -> tuple[Alarm, ...]:
    """All alarms of the document, in its order."""
    _, *sections = DOCUMENT.read_text().split("\n### ")
    return tuple(_alarm(section.split("\n## ")[0]) for section in sections)


def _alarm(section: str) -> Alarm:
    code, _, text = section.partition("\n")
    parts = (" ".join(part.split()) for part in text.split("\n\n"))
    return Alarm(code.strip(), tuple(_html(part) for part in parts if part))


def _html(text: str) -> SafeString:
    return mark_safe(_CODE.sub(r"<code>\1</code>", _LINK.sub(r"\1", escape(text))))
