"""What docs/alarms.md says, for the page in the product: a heading is an alarm's code."""

from functools import cache
from typing import NamedTuple

from django.conf import settings

DOCUMENT = settings.BASE_DIR / "docs" / "alarms.md"


class Alarm(NamedTuple):
    """A code, and what to do, in Markdown."""

    code: str
    text: str


@cache
def all_alarms() -> tuple[Alarm, ...]:
    """All alarms of the document, in its order."""
    _, *sections = DOCUMENT.read_text().split("\n### ")
    parts = (section.split("\n## ")[0].partition("\n") for section in sections)
    return tuple(Alarm(code.strip(), text.strip()) for code, _, text in parts)
