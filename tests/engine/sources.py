"""The environments that tests play: those of `tests/environments`, and generated ones."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

from engine.play.actions import Action
from engine.play.frames import Frame
from engine.play.source import Source, from_parts, load

ENVIRONMENTS = Path(__file__).parents[1] / "environments"
WALK_WINS = ("444", "222", "114", "331", "242", "133")
WALK_PITS = "133442"
MISBEHAVE = Action(5)
UP, DOWN, LEFT, RIGHT, RESET = Action(1), Action(2), Action(3), Action(4), Action(0)

_MARKS = {5: ".", 9: "@", 14: "G", 3: "#", 8: "x"}
_WRITTEN = """
import os, random, sys, time
import numpy as np
from arcengine import ARCBaseGame, Camera, Level, RenderableUserDisplay, Sprite

class Display(RenderableUserDisplay):
    game = None
    def render_interface(self, frame):
{draw}
        return frame

class Xx01(ARCBaseGame):
    def __init__(self):
        self.misbehaving = False
        display = Display()
        display.game = self
        levels = [Level(sprites=[Sprite([[9]], name="dot")]) for _ in range(6)]
{construct}
        super().__init__("xx01", levels, Camera(interfaces=[display]))

    def step(self):
        move = {{1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}}.get(self.action.id.value)
        if move:
            self.current_level.get_sprites()[0].move(*move)
        if self.action.id.value == 5:
            self.misbehaving = True
{step}
        self.complete_action()

{methods}
"""


def environment(environment_id: str) -> Source:
    """Returns one of `tests/environments`, for example wk01 (keyboard) or ck01 (click and undo)."""
    return load(ENVIRONMENTS / environment_id)


def written(*, step: str = "pass", draw: str = "pass", construct: str = "pass", methods: str = "") -> Source:
    """Writes an environment whose ACTION1 to 4 move a dot and whose ACTION5 runs `step`.

    `draw` runs for every `frame` (the environment is `self.game`), `construct` first in its constructor.
    """
    text = _WRITTEN.format(
        step=indent(step, " " * 12),
        draw=indent(draw, " " * 8),
        construct=indent(construct, " " * 8),
        methods=indent(methods, " " * 4),
    )
    return from_parts({"game_id": "xx01"}, text, "xx01.py")


def moves(text: str) -> list[Action]:
    """Returns the actions of a text of ids: `"4411"` is right, right, up, up."""
    return [Action(int(letter)) for letter in text]


def lamps(level: int) -> list[Action]:
    """Returns the clicks that win a level of ck01."""
    return [Action(6, 2 + 10 * lamp, 20 + 4 * lamp) for lamp in range(level)]


def picture(frame: Frame) -> list[str]:
    """Returns the 8x8 board of wk01 as text."""
    return ["".join(_MARKS[int(colour)] for colour in row) for row in frame[::8, ::8]]
