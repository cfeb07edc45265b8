"""Renders arcengine's pictures with NumPy, in fewer and cheaper steps.

Follows arcengine 0.9.3, camera.py and sprites.py: the same steps in the same order, so that errors raise the
same exceptions.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from arcengine import Camera, InteractionMode, Sprite
from arcengine.sprites import _downscale_mode

type Cells = npt.NDArray[Any]

_SHOWN = (InteractionMode.TANGIBLE, InteractionMode.INTANGIBLE)
_NAMES = ("is_visible", "layer", "x", "y")
_PROPERTIES = [vars(Sprite)[name] for name in _NAMES]
_LAYER = attrgetter("layer")
_INT8 = np.dtype(np.int8)
_LARGE = 256
"""For sprites with so many cells it is faster to check first whether all of them are opaque."""
_stock_sprite_render = Sprite.render


def camera_render(self: Camera, sprites: list[Sprite]) -> Cells:
    """Camera.render: int8, 64x64, or what the interfaces return."""
    output = _filled(self.MAX_DIMENSION, self.MAX_DIMENSION, self._letter_box)
    view = self._raw_render(sprites)
    scale, left, top = self._calculate_scale_and_offset()
    if scale > 1:
        view = _scaled(view, scale) if _is_plain_array(view) else _repeated(view, scale)
    output[top : top + view.shape[0], left : left + view.shape[1]] = view
    for interface in self._interfaces:
        output = interface.render_interface(output)
    return output


def camera_raw_render(self: Camera, sprites: list[Sprite]) -> Cells:
    """Camera._raw_render: int8, of the size of the camera's view."""
    output = _filled(self._height, self._width, self._background)
    if not sprites:
        return output
    camera_x, camera_y = self._x, self._y
    as_it_was = class_is_as_it_was()
    visible = [
        sprite
        for sprite in sprites
        if (sprite._interaction in _SHOWN if as_it_was and type(sprite) is Sprite else sprite.is_visible)
    ]
    for sprite in sorted(visible, key=_LAYER):
        if as_it_was and type(sprite) is Sprite and "render" not in sprite.__dict__:
            _blit(self, output, _pixels_to_draw(sprite), sprite._x - camera_x, sprite._y - camera_y)
        else:
            cells = sprite.render()
            _blit(self, output, cells, sprite.x - camera_x, sprite.y - camera_y)
    return output


def _blit(camera: Camera, output: Cells, cells: Cells, x: int, y: int) -> None:
    height, width = cells.shape
    right, bottom = x + width, y + height
    whole = type(x) is int and type(y) is int and x >= 0 and y >= 0
    if whole and right <= camera._width and bottom <= camera._height:
        _lay(output[y:bottom, x:right], cells)
    else:
        _blit_part(camera, output, cells, x, y)


def _blit_part(camera: Camera, output: Cells, cells: Cells, x: int, y: int) -> None:
    """Computes exactly as arcengine: positions may be NumPy numbers, which overflow."""
    cells_height, cells_width = cells.shape
    width, height = camera._width, camera._height
    left, right = max(0, x), min(width, x + cells_width)
    top, bottom = max(0, y), min(height, y + cells_height)
    if right <= left or bottom <= top:
        return
    from_left, from_right = max(0, -x), cells_width - max(0, (x + cells_width) - width)
    from_top, from_bottom = max(0, -y), cells_height - max(0, (y + cells_height) - height)
    _lay(output[top:bottom, left:right], cells[from_top:from_bottom, from_left:from_right])


def _lay(beneath: Cells, region: Cells) -> None:
    """Writes the cells that are not transparent."""
    if region.dtype is not _INT8 or type(region) is not np.ndarray or beneath.shape != region.shape:
        shown = region >= 0
        beneath[shown] = region[shown]
    elif region.size >= _LARGE and region.min() >= 0:
        beneath[...] = region
    else:
        np.copyto(beneath, region, where=region >= 0)


def sprite_render(self: Sprite) -> Cells:
    """Sprite.render: a new array with the data type of the pixels."""
    cells = self.pixels.copy()
    if self.rotation == 0 and not self._mirror_ud and not self._mirror_lr and self._scale == 1:
        return cells
    return _turned(self, cells) if _is_plain_array(cells) else _stock_sprite_render(self)


def _pixels_to_draw(sprite: Sprite) -> Cells:
    """As `sprite_render`, but may return the pixels themselves: callers only read them, at once."""
    cells = sprite.pixels
    if type(cells) is not np.ndarray or cells.ndim != 2:
        return _stock_sprite_render(sprite)
    if sprite.rotation == 0 and not sprite._mirror_ud and not sprite._mirror_lr and sprite._scale == 1:
        return cells
    return _turned(sprite, cells)


def _turned(sprite: Sprite, cells: Cells) -> Cells:
    if sprite.rotation != 0:
        quarters = int((-sprite.rotation % 360) / 90)
        if quarters == 1:
            cells = cells.T[::-1]
        elif quarters == 2:
            cells = cells[::-1, ::-1]
        elif quarters == 3:
            cells = cells.T[:, ::-1]
    if sprite._mirror_ud:
        cells = cells[::-1]
    if sprite._mirror_lr:
        cells = cells[:, ::-1]
    scale = sprite._scale
    return cells if scale == 1 else _scaled(cells, scale)


def _scaled(cells: Cells, scale: int) -> Cells:
    if not scale > 1:
        return _reduced(cells, -scale + 1)
    if type(scale) is not int:
        return _repeated(cells, scale)
    height, width = cells.shape
    enlarged = np.empty((height * scale, width * scale), dtype=cells.dtype)
    enlarged.reshape(height, scale, width * scale)[...] = cells.repeat(scale, axis=1)[:, None]
    return enlarged


def _repeated(cells: Cells, scale: int) -> Cells:
    return np.repeat(np.repeat(cells, scale, axis=0), scale, axis=1)


def _reduced(cells: Cells, factor: int) -> Cells:
    """sprites._downscale_mode, for all blocks at once."""
    height, width = cells.shape
    if type(factor) is not int or cells.dtype != np.int8 or cells.size == 0 or cells.min() < -1:
        return _downscale_mode(cells, factor)
    if height % factor or width % factor:
        return _downscale_mode(cells, factor)
    divided = cells.reshape(height // factor, factor, width // factor, factor).swapaxes(1, 2)
    blocks = divided.reshape(-1, factor * factor).astype(np.intp)
    colours = int(blocks.max()) + 2
    places = np.arange(len(blocks))[:, None] * colours + blocks + 1
    counts = np.bincount(places.ravel(), minlength=len(blocks) * colours).reshape(-1, colours)
    clear = counts[:, 0]
    # Of several colours equally common the highest, hence from the end.
    commonest = colours - 2 - counts[:, :0:-1].argmax(axis=1) if colours > 1 else -1
    reduced = np.where(clear * 2 > factor * factor, -1, commonest).astype(np.int8)
    return reduced.reshape(height // factor, width // factor)


def _filled(height: int, width: int, colour: int) -> Cells:
    if type(colour) is not int or not -128 <= colour <= 127:
        return np.full((height, width), colour, dtype=np.int8)
    output = np.empty((height, width), dtype=np.int8)
    output.fill(colour)
    return output


def _is_plain_array(cells: object) -> bool:
    return type(cells) is np.ndarray and cells.ndim == 2


def class_is_as_it_was() -> bool:
    """Whether a sprite's class has arcengine's methods or these: an environment may have patched it."""
    now = vars(Sprite)
    return now.get("render") in OWN_RENDERS and [now.get(name) for name in _NAMES] == _PROPERTIES


OWN_RENDERS: list[Callable[[Sprite], Cells]] = [sprite_render]
"""The values of Sprite.render with which a sprite's pixels may be read directly."""
