"""Sets one member of a JSON object in its text and changes nothing else of the text."""

import json
import re
from dataclasses import dataclass
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class _Member:
    """A member: its value is text[begin:end], and `gap` is the space before its key."""

    name: str
    gap: str
    begin: int
    end: int


def with_member(text: str, name: str, value: Any) -> str:
    """The text of a JSON object with the member `name` set to `value`, on one line.

    An existing member keeps its place; a new one comes last, with the space of the one before it. Raises
    ValueError if the text is not a JSON object.
    """
    members, closing = _members(text)
    written = json.dumps(value)
    for member in reversed(members):  # JSON takes the last of several with one name
        if member.name == name:
            return text[: member.begin] + written + text[member.end :]
    if not members:
        return f"{text[:closing]}{json.dumps(name)}: {written}{text[closing:]}"
    last = members[-1]
    return f"{text[: last.end]},{last.gap or ' '}{json.dumps(name)}: {written}{text[last.end :]}"


def _members(text: str) -> tuple[list[_Member], int]:
    """The members of the outermost object, and the position of its closing brace."""
    if not isinstance(json.loads(text), dict):
        raise ValueError("this is not a JSON object")
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
