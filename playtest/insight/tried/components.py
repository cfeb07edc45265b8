"""What a click was on: the connected cells of one colour in the frame that was shown."""

from typing import Any

import numpy as np

from engine.actions import CLICK
from engine.frames import Frame
from playtest.rules.tried import Act, Box


class Components:
    """The components of the newest frame; a click that changed nothing is not searched for again."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._labels: dict[int, Any] = {}

    def show(self, frame: Frame) -> None:
        """Replaces the frame."""
        self._frame, self._labels = frame, {}

    def at(self, x: int, y: int) -> tuple[Act, Box]:
        """The component that has this cell: cells of one colour that touch at their sides."""
        colour = int(self._frame[y, x])
        if colour not in self._labels:
            from scipy import ndimage  # takes 0.1 s, and most processes never need it

            self._labels[colour], _ = ndimage.label(self._frame == colour)
        labels = self._labels[colour]
        rows, columns = np.nonzero(labels == labels[y, x])
        box = Box(int(columns.min()), int(rows[0]), int(columns.max()), int(rows[-1]))
        return Act(CLICK, colour, int(columns[0]), int(rows[0])), box
