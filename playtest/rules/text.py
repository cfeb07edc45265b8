"""Text that a database can store, and whole numbers in addresses and forms."""

import re
from unicodedata import category

_MOST_DIGITS = 18  # of every number below 2**63
_NOT_STORABLE = re.compile("[\\0\ud800-\udfff]")
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def storable(text: str) -> bool:
    """Whether every database can store the text: no NUL, no lone surrogate."""
    return _NOT_STORABLE.search(text) is None


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
