"""Check-in codes: six characters that survive being written on paper, read aloud and typed."""

import random
import re
import unicodedata
from datetime import timedelta

from playtest.rules.errors import RuleError
from playtest.rules.text import drawn

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: digits and capitals without I, L, O and U."""
LENGTH = 6
LIFETIME = timedelta(hours=24)
"""How long a code is valid that is not for a slot."""

_SIMILAR = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V"})
_SEPARATORS = re.compile(r"[\s.,_\u2010-\u2015\u2212-]+")
_NUMBERS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_LETTERS = _SEPARATORS.split(
    "ALFA ALPHA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIETT JULIET KILO LIMA MIKE NOVEMBER "
    "OSCAR PAPA QUEBEC ROMEO SIERRA TANGO UNIFORM VICTOR WHISKEY WHISKY XRAY YANKEE ZULU"
)
_SPOKEN = (
    {word: str(number) for number, word in enumerate(_NUMBERS)}
    | {word: word[0] for word in _LETTERS}
    | {"NINER": "9", "DASH": "", "HYPHEN": ""}
)
_SPELLED = (
    {word[0]: word.lower() for word in reversed(_LETTERS)}
    | {str(number): word.lower() for number, word in enumerate(_NUMBERS)}
    | {"X": "x-ray"}
)


def new_code(random_source: random.Random) -> str:
    """One of 32**6 codes, evenly; pass `random.SystemRandom()` for one that cannot be guessed."""
    return "".join(random_source.choices(ALPHABET, k=LENGTH))


def display(code: str) -> str:
    """The code as people see it: "K7M2QX" is "K7M-2QX"."""
    return f"{code[:3]}-{code[3:]}"


def spell(code: str) -> str:
    """Spells a code in its two halves: "K7M2QX" is "kilo seven mike, two quebec x-ray"."""
    return ", ".join(" ".join(_SPELLED[character] for character in half) for half in (code[:3], code[3:]))


def normalise(text: str) -> str:
    """The code in `text`, as typed or read aloud.

    Takes any case; spaces, dashes and dots anywhere; O for 0, I or L for 1, U for V; digits as words and
    letters in the NATO alphabet ("kilo seven mike 2 quebec x-ray").

    Raises RuleError `code_malformed`.
    """
    shown = drawn(unicodedata.normalize("NFKC", text)).upper()
    tokens = [token for token in _SEPARATORS.split(shown) if token]
    code = "".join(tokens)
    if len(code) != LENGTH:
        code = _from_spoken(tokens)
    code = code.translate(_SIMILAR)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise RuleError(
            "code_malformed",
            "A code has six letters and digits, such as K7M-2QX. Check it and enter it again.",
        )
    return code


def _from_spoken(tokens: list[str]) -> str:
    spoken = " ".join(tokens).replace("X RAY", "XRAY").split()
    return "".join(_SPOKEN.get(word, word) for word in spoken)
