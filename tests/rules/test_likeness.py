"""Pairs are measured by appearance, actions and sources."""

import numpy as np
import pytest

from playtest.rules.likeness import (
    Profile,
    appearance_alike,
    appearance_of,
    effects_alike,
    likeness,
    one_program,
)

HALVES = np.zeros((64, 64), dtype=np.uint8)
HALVES[:, 32:] = 9
NOISE = bytes(np.random.default_rng(1).integers(0, 256, 4000, dtype=np.uint8))
ONE = Profile(appearance_of([HALVES]), {1: (1.0, 0.5)}, NOISE)


def test_the_same_is_alike_in_everything_and_one_program_has_half_the_length() -> None:
    assert appearance_alike(ONE, ONE) == pytest.approx(1)
    assert effects_alike(ONE, ONE) == 1
    assert one_program(ONE, ONE) == pytest.approx(0.5, abs=0.02)
    assert likeness(1.0, 1.0, 0.5) == 1


def test_other_colours_actions_and_sources_are_not() -> None:
    other = Profile(appearance_of([HALVES + 1]), {2: (1.0, 0.1)}, NOISE[::-1])
    assert appearance_alike(ONE, other) == 0
    assert effects_alike(ONE, other) == 0
    assert one_program(ONE, other) == pytest.approx(1, abs=0.02)
    assert effects_alike(ONE, Profile(other.appearance, {}, b"")) == 0
    assert effects_alike(ONE, Profile(other.appearance, {1: (0.5, 0.25), 2: (0.5, 0.0)}, b"")) == 0.625
