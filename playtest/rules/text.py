"""Text that a database can hold."""

_HALVES = range(0xD800, 0xE000)


def storable(text: str) -> bool:
    """Whether every database takes it, to keep or to look for: no NUL, no half of a character."""
    return "\0" not in text and (text.isascii() or not any(ord(letter) in _HALVES for letter in text))
