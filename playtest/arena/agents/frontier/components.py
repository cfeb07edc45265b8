"""Where to click: one cell of each connected component of a frame, instead of all 4,096 cells."""

from typing import NamedTuple

import numpy as np
from scipy import ndimage

from engine.actions import CLICK, Action
from engine.frames import PALETTE, Frame

MOST_CLICKS = 128


class Component(NamedTuple):
    """What can be clicked, and the click on it."""

    click: Action
    colour: int
    size: int


def clickable_components(frame: Frame, most: int = MOST_CLICKS) -> list[Component]:
    """Every component with a click on it, the largest first, at most `most`.

    A component is a set of cells of one colour that touch at their sides. Its cell is the one nearest to its
    middle; of several as near, the first in reading order.
    """
    found: list[tuple[int, int, int, int]] = []
    for colour in range(len(PALETTE)):
        labels, count = ndimage.label(frame == colour)
        for part in range(1, count + 1):
            rows, columns = np.nonzero(labels == part)
            distances = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
            nearest = int(distances.argmin())
            found.append((-len(rows), int(rows[nearest]), int(columns[nearest]), colour))
    found.sort()
    return [Component(Action(CLICK, x, y), colour, -size) for size, y, x, colour in found[:most]]
