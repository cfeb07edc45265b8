"""Environments with levels written as graphs: rooms, doors for each action, hidden state."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from textwrap import indent

from engine.play.source import Source, from_parts
from engine.prove.exploration.explore import explore
from engine.prove.exploration.graph import Limits, StateGraph
from engine.prove.exploration.report import report
from engine.prove.player import LevelPlayer, Player

type Rooms = Mapping[int, Sequence[int | str]]
"""Where ACTION1, ACTION2, ... lead from each room: another room, "win" or "loss"."""

EIGHTH: Rooms = {0: ("loss", 1), 1: ("loss", 2), 2: ("loss", "win")}
"""One chance in eight: the second of two doors, three times."""

_TEXT = """
import collections, functools, itertools, random, sys
from arcengine import ARCBaseGame, Camera, Level, Sprite
import numpy as np

ROOMS = {rooms}

class Xx02(ARCBaseGame):
    def __init__(self):
        levels = [Level(sprites=[Sprite([[9]], name="dot")]) for _ in range(6)]
        super().__init__("xx02", levels, Camera(), available_actions={actions})

    def on_set_level(self, level):
        self.room = 0
        self.dot = level.get_sprites()[0]
{prepare}

    def step(self):
        doors = ROOMS[self.room]
        index = self.action.id.value - 1
        if 0 <= index < len(doors):
            to = doors[index]
{step}
            if to == "win":
                self.next_level()
            elif to == "loss":
                self.lose()
            else:
                self.room = to
                self.dot.set_position(to % 64, to // 64)
        self.complete_action()

{after}
"""


def maze(
    rooms: Rooms, *, start: int = 0, prepare: str = "pass", step: str = "pass", after: str = ""
) -> Source:
    """Writes an environment whose player walks through rooms.

    `prepare` runs at every start of a level; `step` after each action, with `to` for where it leads (which
    it may change) and `index` for the action's place; `after` stands at the end of the module.
    """
    actions = list(range(1, 1 + max(map(len, rooms.values()))))
    text = _TEXT.format(
        rooms=dict(rooms),
        actions=actions,
        prepare=indent(prepare, " " * 8),
        step=indent(step, " " * 12),
        after=after,
    )
    return from_parts({"game_id": "xx02"}, text, "xx02.py")


def graph_of(source: Source, *, limits: Limits | None = None, level: int = 1) -> StateGraph:
    """Returns the state graph of level 1."""
    return explore(LevelPlayer(Player(source), 0, level), limits or Limits(), time.monotonic)


def report_of(source: Source, *, limits: Limits | None = None, budget: int = 10) -> dict[str, object]:
    """Returns the report on the state graph of level 1."""
    return report(graph_of(source, limits=limits), budget)
