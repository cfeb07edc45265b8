"""A code that is read aloud is accepted as it was heard."""

import random

from playtest.rules.codes import ALPHABET, new_code, normalise, spell


def test_a_code_is_spelt_in_two_halves() -> None:
    assert spell("K7M2QX") == "kilo seven mike, two quebec x-ray"


def test_every_character_has_a_word() -> None:
    for character in ALPHABET:
        assert normalise(spell(character * 6).replace(",", " ")) == character * 6


def test_a_spelt_code_is_accepted_as_the_code() -> None:
    source = random.Random(7)
    for _ in range(200):
        code = new_code(source)
        assert normalise(spell(code)) == code
