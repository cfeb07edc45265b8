"""How runs of actions are written as text."""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.actions import RESET, UNDO, Action

KEYS = {"X": RESET, "U": 1, "D": 2, "L": 3, "R": 4, "I": 5, "Z": UNDO}


def keys(written: str) -> Iterator[Action]:
    """U D L R: a direction; I: interact; Z: undo; X: reset of the level. Spaces mean nothing."""
    return (Action(KEYS[sign]) for sign in written.replace(" ", ""))
