"""Pasted texts with what reading them gives, for the reader in static/studio/cards/sketch.js."""

from typing import Any

LINES = ["0123456789abcdef" * 4] * 63 + ["f" * 64]
CELLS = "".join(LINES)


def _with(number: int, line: str) -> str:
    lines = list(LINES)
    lines[number - 1] = line
    return "\n".join(lines)


READ = {
    "as it is written": "\n".join(LINES),
    "lines of Windows, spaces around, capital letters": "\n " + "\t\r\n  ".join(LINES).upper() + "\n\n",
}
"""Each is read as CELLS."""
COLOURS = "a colour is one of 0-9 and a-f. (sketch_digit)"
REFUSED = {
    "": "A sketch has 64 lines; this text has 1. (sketch_lines)",
    "\n".join(LINES[1:]): "A sketch has 64 lines; this text has 63. (sketch_lines)",
    _with(9, "0" * 65): "A line has 64 colours; line 9 has 65. (sketch_line_length)",
    _with(
        3, "0000g" + "0" * 59
    ): "In line 3, column 5 is “g”: a colour is one of 0-9 and a-f. (sketch_digit)",
    _with(
        3, "0000🌸" + "0" * 9
    ): "In line 3, column 5 is “🌸”: a colour is one of 0-9 and a-f. (sketch_digit)",
}
"""Each text with what is wrong with it."""


def content(**changes: Any) -> dict[str, Any]:
    """The content of a card that can be signed."""
    whole: dict[str, Any] = {
        "concept": "Walk to the ring.",
        "mechanics": [
            {"name": "walls", "level": 1, "description": "Nobody walks through them."},
            {"name": "pits", "level": 3, "description": "They end the level."},
        ],
        "priors": ["objects"],
        "controls": ["directions"],
        "known_games": [
            {"name": "Sokoban", "new": "Nothing is pushed."},
            {"name": "Chip's Challenge", "new": "Nothing is collected."},
        ],
        "sketches": [{"level": 1, "caption": "the first room", "cells": CELLS}],
    }
    return whole | changes
