"""Finds the objects that a level's turns do not use: other levels, clean copies, templates of sprites.

An environment with many levels has several copies of each sprite, and a turn changes a few of them. Snapshots
leave the others out, and check at times that these have not changed (`engine.prove.state.snapshots`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arcengine import Level, Sprite

from engine.play.game import Game
from engine.prove.state.builtin_parts import ATOMS, Opaque
from engine.prove.state.object_parts import parts


def outside_level(game: Game, objects: Iterable[Any]) -> list[Any]:
    """The sprites and levels among `objects` that the present level and the rules do not refer to.

    `objects` are all objects of the game's state (`Identity.objects`). References through another level, a
    class or the variables of a module do not count.
    """
    inside = _inside(game.state[0])
    return [one for one in objects if isinstance(one, (Sprite, Level)) and id(one) not in inside]


def _inside(rules: Any) -> dict[int, Any]:
    """The objects that the rules and the present level refer to, by address."""
    closed = {id(rules._clean_levels), *(id(one) for one in rules._levels if one is not rules.current_level)}
    found: dict[int, Any] = {}
    waiting: list[Any] = [rules]
    while waiting:
        obj = waiting.pop()
        kind = type(obj)
        if kind in ATOMS or kind is str or id(obj) in found or id(obj) in closed or _is_shared(obj):
            continue
        found[id(obj)] = obj
        try:
            waiting.extend(parts(obj)[1])
        except Opaque:
            continue
    return found


def _is_shared(obj: Any) -> bool:
    """Whether it is a class or the variables of a module, which refer to everything."""
    return isinstance(obj, type) or (type(obj) is dict and "__builtins__" in obj)
