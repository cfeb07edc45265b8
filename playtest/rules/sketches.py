"""A sketch of a level: 64 by 64 cells of the palette, written as 64 lines of 64 hexadecimal digits.

`static/studio/cards/sketch.js` reads the same text with the same codes; both are tested with
`tests/studio/sketch_texts.py`.
"""

import re

from playtest.rules.errors import RuleError

SIDE = 64
CELLS = SIDE * SIDE
_OTHER_THAN_DIGITS = re.compile("[^0-9a-fA-F]")
_BREAKS = re.compile("\r\n|\r|\n")


def cells_of(text: str) -> str:
    """The 4,096 cells of a pasted text in reading order, in lower case.

    White space around lines, and empty lines before and after the picture, are left out. RuleError:
    sketch_lines, sketch_line_length, sketch_digit.
    """
    lines = [line.strip(" \t") for line in _BREAKS.split(text.strip())]
    if len(lines) != SIDE:
        raise RuleError("sketch_lines", f"A sketch has {SIDE} lines; this text has {len(lines)}.")
    for number, line in enumerate(lines, 1):
        if found := _OTHER_THAN_DIGITS.search(line):
            place = f"line {number}, column {found.start() + 1}"
            raise RuleError("sketch_digit", f"In {place} is “{found[0]}”: a colour is one of 0-9 and a-f.")
        if len(line) != SIDE:
            message = f"A line has {SIDE} colours; line {number} has {len(line)}."
            raise RuleError("sketch_line_length", message)
    return "".join(lines).lower()


def text_of(cells: str) -> str:
    """The 64 lines of a sketch's cells."""
    return "\n".join(cells[start : start + SIDE] for start in range(0, CELLS, SIDE))


def check_cells(cells: str) -> str:
    """Returns stored cells. RuleError sketch_cells."""
    if len(cells) != CELLS or _OTHER_THAN_DIGITS.search(cells) or cells != cells.lower():
        raise RuleError("sketch_cells", f"A sketch is {CELLS:,} hexadecimal digits in lower case.")
    return cells
