"""A faster renderer with arcengine's results: Camera.render, Camera._raw_render and Sprite.render (0.9.3).

Environments edit `sprite.pixels` in place, set any attribute, keep and change the frame they got last time,
and replace these methods. So nothing is cached from one picture to the next, every frame is a new array, and
unusual objects are drawn by arcengine's own code.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from arcengine import Camera, InteractionMode, Sprite

from engine.play import render_build

type Cells = npt.NDArray[Any]


class Renderer(StrEnum):
    """STOCK is arcengine's own code; COMPILED draws by `render.c`, and leaves to STOCK what that cannot."""

    STOCK = "stock"
    COMPILED = "compiled"


type _Functions = tuple[
    Callable[[Camera, list[Sprite]], Cells],
    Callable[[Camera, list[Sprite]], Cells],
    Callable[[Sprite], Cells],
]

_STOCK: _Functions = (Camera.render, Camera._raw_render, Sprite.render)
_MODES = (
    InteractionMode.TANGIBLE,
    InteractionMode.INTANGIBLE,
    InteractionMode.INVISIBLE,
    InteractionMode.REMOVED,
)
_PROPERTIES = tuple(vars(Sprite)[name] for name in ("is_visible", "layer", "x", "y"))


def use(renderer: Renderer | None = None) -> Renderer:
    """Draws with this renderer from now on, in this process; returns it. The default is the fastest.

    Raises ValueError for COMPILED if it is not built or does not draw as arcengine does.
    """
    chosen = renderer or renderers()[-1]
    functions = _STOCK if chosen is Renderer.STOCK else _compiled()
    if functions is None:
        raise ValueError("There is no compiled renderer: build it with python -m engine.play.render_build.")
    _install(functions)
    return chosen


def renderers() -> tuple[Renderer, ...]:
    """The available renderers, the slowest first."""
    return tuple(Renderer) if _compiled() is not None else (Renderer.STOCK,)


@cache
def _compiled() -> _Functions | None:
    """The compiled renderer, if it is built and draws as arcengine does."""
    module = render_build.loaded()
    if module is None:
        return None
    functions = _with_fallback(module)
    return functions if _draws_alike(functions, module) else None


def _with_fallback(module: ModuleType) -> _Functions:
    frame, view, picture = module.frame, module.view, module.sprite
    stock_render, stock_raw_render, stock_sprite_render = _STOCK

    def camera_render(self: Camera, sprites: list[Sprite]) -> Cells:
        output: Cells | None = frame(self, sprites)
        if output is None:
            return stock_render(self, sprites)
        for interface in self._interfaces:
            output = interface.render_interface(output)
        return output

    def camera_raw_render(self: Camera, sprites: list[Sprite]) -> Cells:
        output: Cells | None = view(self, sprites)
        return stock_raw_render(self, sprites) if output is None else output

    def sprite_render(self: Sprite) -> Cells:
        output: Cells | None = picture(self)
        return stock_sprite_render(self) if output is None else output

    offset = Camera._calculate_scale_and_offset
    module.configure((Sprite, *_MODES, sprite_render, camera_raw_render, offset, *_PROPERTIES))
    return camera_render, camera_raw_render, sprite_render


def _draws_alike(functions: _Functions, module: ModuleType) -> bool:
    """Whether a few hundred pictures equal arcengine's, and `render.c` can draw all of them."""
    before: _Functions = (Camera.render, Camera._raw_render, Sprite.render)
    cameras = (Camera(-3, 2, 64, 64), Camera(1, -1, 20, 9, 3, 4), Camera(0, 0, 33, 40, 1, 2))
    sprites = _samples()
    try:
        _install(_STOCK)
        frames = [camera.render(sprites) for camera in cameras]
        pictures = [one.render() for one in sprites]
        _install(functions)
        return all(
            _same(module.frame(camera, sprites), frame) for camera, frame in zip(cameras, frames, strict=True)
        ) and all(_same(module.sprite(one), picture) for one, picture in zip(sprites, pictures, strict=True))
    finally:
        _install(before)


def _samples() -> list[Sprite]:
    """Sprites of every rotation, mirror image and some scales, across borders and across each other."""
    small, large = (
        ((np.arange(24) * 7) % 18 - 2).reshape(4, 6),
        ((np.arange(700) * 7) % 18 - 2).reshape(20, 35),
    )
    varied = itertools.product((0, 90, 180, 270), (False, True), (False, True), (1, 2, 3, -1))
    return [
        Sprite(
            (np.maximum(small, -1) if scale < 1 else small if number % 3 else large).astype(np.int8),
            name="sample",
            x=number * 5 % 70 - 6,
            y=number * 11 % 70 - 6,
            layer=number * 7 % 5,
            rotation=rotation,
            mirror_ud=mirror_ud,
            mirror_lr=mirror_lr,
            scale=scale,
        )
        for number, (rotation, mirror_ud, mirror_lr, scale) in enumerate(varied)
    ]


def _same(drawn: Cells | None, expected: Cells) -> bool:
    return drawn is not None and drawn.dtype == expected.dtype and np.array_equal(drawn, expected)


def _install(functions: _Functions) -> None:
    places = ((Camera, "render"), (Camera, "_raw_render"), (Sprite, "render"))
    for (owner, name), function in zip(places, functions, strict=True):
        setattr(owner, name, function)
