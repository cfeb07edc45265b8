"""The places that an environment declares as clickable (arcengine 0.9.3 `_get_valid_actions`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from arcengine import ARCBaseGame, Sprite

from engine.play.actions import CLICK

_LISTING = ("_get_valid_actions", "_get_valid_clickable_actions")
_STOCK = [getattr(ARCBaseGame, name) for name in _LISTING]


def declared_cells(rules: ARCBaseGame) -> Iterator[tuple[Any, Any]]:
    """The column and the row of each place, in arcengine's order. Raises what the environment raises.

    Without arcengine's objects for actions, unless the environment has methods of its own for that.
    """
    own = [getattr(getattr(rules, name), "__func__", None) for name in _LISTING]
    if own == _STOCK and not rules._placeable_sprite:
        for available in rules._available_actions:
            if available == CLICK:
                yield from _clickable(rules)
        return
    for one in rules._get_valid_actions():
        if one.id.value == CLICK:
            yield one.data["x"], one.data["y"]


def _clickable(rules: ARCBaseGame) -> Iterator[tuple[Any, Any]]:
    """As `_get_valid_clickable_actions`."""
    level = rules.current_level
    sprites = level.get_sprites_by_tag("sys_click")
    sprites.extend(level.get_sprites_by_tag("sys_place"))
    scale, left, top = rules.camera._calculate_scale_and_offset()
    for sprite in sprites:
        if not rules._is_sprite_clickable_now(sprite):
            continue
        for x, y in _shown(sprite, every="sys_every_pixel" in sprite._tags):
            yield (sprite._x + x) * scale + left, (sprite._y + y) * scale + top


def _shown(sprite: Sprite, *, every: bool) -> list[tuple[int, int]]:
    """The cells of a sprite that are not transparent, row by row; only the first unless `every`."""
    cells = sprite.render()
    if every:
        return [(x, y) for y, x in np.argwhere(cells >= 0).tolist()]
    width = cells.shape[1]
    for place, cell in enumerate(cells.ravel().tolist()):
        if cell >= 0:
            return [(place % width, place // width)]
    return []
