"""One member of a JSON object set in its text; everything else stays as its author wrote it."""

import json
import re
from dataclasses import dataclass
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class _Member:
    """Where a member stands: its value is text[begin:end], and `gap` is the space before its key."""

    name: str
    gap: str
    begin: int
    end: int


def with_member(text: str, name: str, value: Any) -> str:
    """`text`, a JSON object, with the member `name` set to `value`, on one line.

    A member that is there keeps its place; a new one comes last, spaced as the one before it. Raises
    ValueError when the text is no JSON object.
    """
    members, closing = _members(text)
    written = json.dumps(value)
    for member in reversed(members):  # of several of one name, JSON takes the last
        if member.name == name:
            return text[: member.begin] + written + text[member.end :]
    if not members:
        return f"{text[:closing]}{json.dumps(name)}: {written}{text[closing:]}"
    last = members[-1]
    return f"{text[: last.end]},{last.gap or ' '}{json.dumps(name)}: {written}{text[last.end :]}"


def _members(text: str) -> tuple[list[_Member], int]:
    """The members of the outermost object, and where its closing brace is."""
    if not isinstance(json.loads(text), dict):
        raise ValueError("this is no JSON object")
    members: list[_Member] = []
    place = text.index("{") + 1
    while True:
        key = _after_space(text, place)
        if text[key] == "}":
            return members, key
        gap = text[place:key]
        name, after = _DECODER.raw_decode(text, key)
        begin = _after_space(text, _after_space(text, after) + 1)
        _, end = _DECODER.raw_decode(text, begin)
        members.append(_Member(name, gap, begin, end))
        place = _after_space(text, end)
        if text[place] == "}":
            return members, place
        place += 1


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
