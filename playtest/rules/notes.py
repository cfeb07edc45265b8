"""What a designer's note says of what its template asks (`studio/starting_point/note.md.txt`)."""

import re

PARTS = ("Goal", "Controls", "Mechanics", "What each level asks for")
"""Each is a part that begins with its name in bold letters; a further part ends it."""
_HEADING = re.compile(r"^\*\*([^*]+)\*\*", re.MULTILINE)
_UNWRITTEN = re.compile(r"to be written", re.IGNORECASE)
_EMPTY_ROW = re.compile(r"^\|.*\|\s*\|$", re.MULTILINE)
"""A row of a table without its last cell."""


def unwritten(note: str) -> list[str]:
    """The parts of a note that are missing or empty, in lower case, in order."""
    _, *pieces = _HEADING.split(note)
    parts = dict(zip((name.rstrip(".").casefold() for name in pieces[::2]), pieces[1::2], strict=True))
    return [name.lower() for name in PARTS if not _is_written(name.casefold(), parts)]


def _is_written(name: str, parts: dict[str, str]) -> bool:
    text = next((text for heading, text in parts.items() if heading.startswith(name)), "")
    return bool(text.strip(" .\n")) and not _UNWRITTEN.search(text) and not _EMPTY_ROW.search(text)
