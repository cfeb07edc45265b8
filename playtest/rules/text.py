"""Text that a database can store, whole numbers in addresses and forms, and numbers in sentences."""

import re
from collections.abc import Iterable
from unicodedata import category, normalize

_MOST_DIGITS = 18  # of every number below 2**63
_NOT_STORABLE = re.compile("[\\0\ud800-\udfff]")
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that are drawn as nothing
_MINUS = "\u2212"
_MARKS = re.compile("[\u0300-\u036f]")
_BASES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th"})
_NUMBERS = re.compile(r"(\d+)")
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def storable(text: str) -> bool:
    """Whether every database can store the text: no NUL, no lone surrogate."""
    return _NOT_STORABLE.search(text) is None


def visible(text: str) -> str:
    """The text without what surrounds it; "" if nothing of it can be seen (static/shared/letters.js)."""
    shown = (each for each in text if category(each)[0] not in "CMZ" and each not in _BLANK)
    return text.strip() if any(shown) else ""


def clean_identity(text: str) -> str:
    """A name, reference, address or code as it is compared: equal for spellings that differ only in form.

    Case, blanks, compatibility forms (full width, decomposed accents), the kind of a dash, and characters
    that are drawn as nothing make no difference.
    """
    folded = drawn(normalize("NFKC", normalize("NFKC", text).casefold()))
    return "".join(
        "-" if category(each) == "Pd" or each == _MINUS else each for each in folded if not each.isspace()
    )


def drawn(text: str) -> str:
    """The text without characters that are drawn as nothing: zero-width spaces, soft hyphens, marks."""
    return "".join(each for each in text if category(each) != "Cf" and each not in _BLANK)


def name_order(name: str) -> tuple[list[str | int], str]:
    """The key by which lists of names are sorted: accents and case matter last, numbers count as such."""
    letters = _MARKS.sub("", normalize("NFKD", name.casefold()).translate(_BASES))
    parts: list[str | int] = [*_NUMBERS.split(letters)]
    parts[1::2] = map(int, parts[1::2])
    return parts, name


def whole_number(text: str) -> int | None:
    """The number written in digits; None for other text and numbers too large for a database."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        return None
    return int(text)


def one_line(text: str) -> bool:
    """Whether the text is written on one line, without control characters or changes of writing direction."""
    return storable(text) and not any(
        category(letter) in ("Cc", "Zl", "Zp") or letter in _DIRECTIONS for letter in text
    )


def percent(share: float) -> str:
    """A share 0..1 in whole percent."""
    return f"{100 * share:.0f} %"


def span(seconds: float) -> str:
    """Up to two minutes in seconds, from there on as m:ss."""
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60}:{whole % 60:02} min"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: "1 action", "1,204 actions"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def persons(count: int) -> str:
    """1 person, 2 people."""
    return counted(count, "person", "people")


def environments(numbers: Iterable[int]) -> str:
    """environment 1; environments 1, 2 and 5"""
    written = [str(number) for number in numbers]
    if len(written) == 1:
        return f"environment {written[0]}"
    return f"environments {', '.join(written[:-1])} and {written[-1]}"
