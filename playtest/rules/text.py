"""Text that a database can hold, and the numbers that people write into addresses and forms."""

_MOST_DIGITS = 18  # of every number below 2**63
_HALVES = range(0xD800, 0xE000)


def storable(text: str) -> bool:
    """Whether every database takes it, to keep or to look for: no NUL, no half of a character."""
    return "\0" not in text and (text.isascii() or not any(ord(letter) in _HALVES for letter in text))


def whole_number(text: str) -> int | None:
    """The number that these digits write; None for anything else, and for more than any database takes."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        return None
    return int(text)
