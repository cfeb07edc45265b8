"""Compares pictures of several renderers, or the errors that they raise."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engine.play import rendering as render
from engine.play.rendering import Renderer

FASTER = render.renderers()[1:]

_SIDES = st.integers(1, 9)
_COLOURS = st.integers(-1, 15) | st.integers(-4, 127)
_PLACES = st.integers(-12, 70)
_CLEAR_OFTEN = st.just(-1) | _COLOURS


@contextmanager
def drawing(renderer: Renderer) -> Iterator[None]:
    """Draws with this renderer inside the block."""
    render.use(renderer)
    try:
        yield
    finally:
        render.use()


def outcome(draw: Callable[[], Any], renderer: Renderer) -> tuple[Any, ...]:
    """The picture's class, type, shape and bytes, or the exception's class and message."""
    with drawing(renderer), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            picture = draw()
        except Exception as error:
            return type(error), str(error)
    if not isinstance(picture, np.ndarray):
        return type(picture), picture
    return type(picture), picture.dtype, picture.shape, picture.flags.writeable, picture.tobytes()


@st.composite
def pixels(draw: st.DrawFn, height: int, width: int) -> np.ndarray[Any, Any]:
    """Arrays of cells with any memory layout, mostly int8 as arcengine makes them."""
    kind = draw(st.sampled_from([np.int8] * 6 + [np.int64, np.int16, np.uint8]))
    least = 0 if kind is np.uint8 else -4
    few = st.integers(least, 15) if kind is np.uint8 else _CLEAR_OFTEN
    cells = draw(arrays.arrays(kind, (height, width), elements=few))
    layout = draw(st.sampled_from(["plain", "reversed", "transposed", "strided"]))
    if layout == "reversed":
        return cells[::-1, ::-1].copy()[::-1, ::-1]
    if layout == "transposed":
        return cells.T.copy().T
    return np.repeat(cells, 2, axis=1)[:, ::2] if layout == "strided" else cells


@st.composite
def sprite_attributes(draw: st.DrawFn) -> dict[str, Any]:
    """All attributes that decide how a sprite is drawn, by name."""
    scale = draw(st.sampled_from([1, 1, 1, 2, 3, 7, -1, -2]))
    factor = 1 - scale if scale < 1 else 1
    return {
        "pixels": draw(pixels(draw(_SIDES) * factor, draw(_SIDES) * factor)),
        "_x": draw(_PLACES),
        "_y": draw(_PLACES),
        "_layer": draw(st.integers(-2, 2)),
        "_scale": scale,
        "rotation": draw(st.sampled_from([0, 90, 180, 270])),
        "_mirror_ud": draw(st.booleans()),
        "_mirror_lr": draw(st.booleans()),
        "_interaction": draw(st.sampled_from([*render._MODES, *render._MODES[:2]])),
    }


@st.composite
def views(draw: st.DrawFn) -> dict[str, Any]:
    """All attributes that decide what a camera shows, by name."""
    sides = st.integers(1, 64) | st.sampled_from([8, 16, 32, 64])
    return {
        "_x": draw(_PLACES),
        "_y": draw(_PLACES),
        "_width": draw(sides),
        "_height": draw(sides),
        "_background": draw(_COLOURS),
        "_letter_box": draw(_COLOURS),
    }
