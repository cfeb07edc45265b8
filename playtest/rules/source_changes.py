"""What changed from one text to the next, line by line, so that a person can approve it.

Nothing may hide from the reader: a line is never cut, and characters that are not seen are shown by number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from unicodedata import category

MOST_COMPARED = 3_000
"""Lines beside the common beginning and end. A comparison's time grows with the square of this."""
_CONTEXT = 3
_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


class Change(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Line:
    """A line with its number in the later text; a removed one has that of the earlier one.

    Of SKIPPED lines `number` says how many there are.
    """

    change: Change
    number: int
    text: str


def changed_lines(before: str, after: str) -> list[Line]:
    """The changed lines with three around each; all of the later text where too much changed to compare.

    Nothing if the texts are the same.
    """
    if before == after:
        return []
    old, new = lines_of(before), lines_of(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    blocks = _blocks(old[start : len(old) - end], new[start : len(new) - end])
    ranges = [
        ("equal", 0, start, 0, start),
        *((name, a + start, b + start, c + start, d + start) for name, a, b, c, d in blocks),
        ("equal", len(old) - end, len(old), len(new) - end, len(new)),
    ]
    found: list[Line] = []
    for index, (name, old_from, old_to, new_from, new_to) in enumerate(ranges):
        if name == "equal":
            found += _same(new, new_from, new_to, first=index == 0, last=index == len(ranges) - 1)
        else:
            found += [Line(Change.REMOVED, at + 1, old[at]) for at in range(old_from, old_to)]
            found += [Line(Change.ADDED, at + 1, new[at]) for at in range(new_from, new_to)]
    return found


def all_lines(text: str) -> list[Line]:
    """Every line of a text."""
    return [Line(Change.SAME, number, line) for number, line in enumerate(lines_of(text), 1)]


def lines_of(text: str) -> list[str]:
    """The lines as Python counts them, each with what is not seen written out."""
    return [visible(line) for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n")]


def visible(text: str) -> str:
    """The text with control characters, changes of direction and the like as ⟨U+202E⟩; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"⟨U+{ord(letter):04X}⟩" if category(letter) in _UNSEEN and letter != "\t" else letter
        for letter in text
    )


def unseen(text: str) -> int:
    """How many characters a reader would not see."""
    return sum(category(letter) in _UNSEEN and letter not in "\t\n" for letter in text.replace("\r\n", "\n"))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same at the beginning of both."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    if len(old) > MOST_COMPARED or len(new) > MOST_COMPARED:
        yield "replace", 0, len(old), 0, len(new)
    else:
        yield from SequenceMatcher(None, old, new).get_opcodes()


def _same(new: list[str], start: int, end: int, *, first: bool, last: bool) -> list[Line]:
    """The lines that stay, only those near a change."""
    head = 0 if first else min(_CONTEXT, end - start)
    tail = 0 if last else min(_CONTEXT, end - start - head)
    skipped = end - start - head - tail
    lines = [Line(Change.SAME, at + 1, new[at]) for at in range(start, start + head)]
    if skipped:
        lines.append(Line(Change.SKIPPED, skipped, ""))
    return [*lines, *(Line(Change.SAME, at + 1, new[at]) for at in range(end - tail, end))]
