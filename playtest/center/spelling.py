"""Check-in codes in the spelling alphabet, to be read aloud. `rules.codes.normalise` accepts it."""

_DIGITS = dict(zip("0123456789", "zero one two three four five six seven eight nine".split(), strict=True))
_LETTERS = {
    word[0].upper(): word
    for word in (
        "alfa bravo charlie delta echo foxtrot golf hotel juliett kilo mike november papa quebec romeo "
        "sierra tango victor whiskey x-ray yankee zulu"
    ).split()
}
_SPOKEN = _DIGITS | _LETTERS


def spell(code: str) -> str:
    """Spells a code in its two halves: "K7M2QX" is "kilo seven mike, two quebec x-ray"."""
    return ", ".join(" ".join(_SPOKEN[character] for character in half) for half in (code[:3], code[3:]))
