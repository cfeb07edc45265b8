"""Every renderer draws what arcengine draws and fails as arcengine fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from arcengine import Camera, RenderableUserDisplay, Sprite
from hypothesis import given
from hypothesis import strategies as st

from engine.play.rendering import Renderer
from tests.engine.drawings import FASTER, drawing, outcome, sprite_attributes, views

STRANGE: list[tuple[str, Any]] = [
    ("_x", 1.5),
    ("_x", 2.0),
    ("_x", np.int8(-128)),
    ("_x", np.int8(100)),
    ("_y", None),
    ("_y", 10**12),
    ("_layer", 0.5),
    ("_layer", "front"),
    ("_scale", 0),
    ("_scale", -1),
    ("_scale", 1.5),
    ("_scale", np.int64(2)),
    ("rotation", 45),
    ("rotation", -90),
    ("rotation", 450),
    ("rotation", 90.0),
    ("rotation", "90"),
    ("_mirror_ud", 1),
    ("_mirror_lr", None),
    ("_interaction", "TANGIBLE"),
    ("pixels", [[1, 2], [3, 4]]),
    ("pixels", None),
    ("pixels", np.zeros((2, 2, 2), dtype=np.int8)),
    ("pixels", np.zeros((0, 3), dtype=np.int8)),
    ("pixels", np.array([[-2, -2], [-2, 1]], dtype=np.int8)),
    ("pixels", np.array([[200, 3], [-300, 1]])),
    ("pixels", np.array([[2.5, -1.0], [0.0, 7.9]])),
    ("pixels", np.array([[True, False]])),
    ("pixels", np.array([[1, -1, 5]], dtype=">i4")),
    ("pixels", np.array([[1, -1, 5]], dtype=np.int8).view(np.recarray)),
]
STRANGE_VIEWS: list[tuple[str, Any]] = [
    *[("_width", value) for value in (0, -1, 65, 2.0, np.int64(8))],
    *[("_height", value) for value in (0, -1, 100)],
    *[(name, value) for name in ("_background", "_letter_box") for value in (200, -129, 1.5, None, True)],
    *[("_x", value) for value in (1.5, np.int64(3), np.int8(127))],
    ("MAX_DIMENSION", 32),
    ("_interfaces", None),
    ("_calculate_scale_and_offset", lambda: (1, 3, 5)),
    ("_raw_render", lambda sprites: np.zeros((3, 3), dtype=np.int8)),
]


class Stripe(RenderableUserDisplay):
    def render_interface(self, frame: Any) -> Any:
        frame[0, ::2] = 9
        return frame


class Shouting(Sprite):
    def render(self) -> Any:
        return np.where(super().render() >= 0, 8, -1)


class Hiding(Sprite):
    @property
    def is_visible(self) -> bool:
        return self._x > 0

    @property
    def layer(self) -> int:
        return -self._layer


class Framed(Camera):
    def _raw_render(self, sprites: list[Sprite]) -> Any:
        view = super()._raw_render(sprites)
        view[:, 0] = 3
        return view


def a_sprite(attributes: dict[str, Any], kind: type[Sprite] = Sprite) -> Sprite:
    return with_attributes(kind([[1]], name="sprite"), attributes)


def a_camera(view: dict[str, Any], kind: type[Camera] = Camera) -> Camera:
    return with_attributes(kind(interfaces=[Stripe()]), view)


def with_attributes[T](thing: T, attributes: dict[str, Any]) -> T:
    for name, value in attributes.items():
        setattr(thing, name, value)
    return thing


def rendered(sprite: Sprite) -> Any:
    return sprite.render()


def assert_drawn_alike(camera: Camera, sprites: list[Sprite]) -> None:
    draws: list[Callable[[], Any]] = [lambda: camera.render(sprites), lambda: camera._raw_render(sprites)]
    draws += [partial(rendered, sprite) for sprite in sprites]
    for draw in draws:
        expected = outcome(draw, Renderer.STOCK)
        for renderer in FASTER:
            assert outcome(draw, renderer) == expected, renderer


@given(
    st.lists(st.tuples(sprite_attributes(), st.sampled_from([Sprite] * 9 + [Shouting, Hiding])), max_size=8),
    views(),
    st.sampled_from([Camera, Camera, Framed]),
)
def test_any_sprites_seen_by_any_camera_are_drawn_as_by_arcengine(
    sprites: list[tuple[dict[str, Any], type[Sprite]]], view: dict[str, Any], kind: type[Camera]
) -> None:
    assert_drawn_alike(a_camera(view, kind), [a_sprite(attributes, kind) for attributes, kind in sprites])


def test_hundreds_of_sprites_keep_their_order_within_a_layer() -> None:
    sprites = [Sprite([[i % 16]], name="", x=i % 7, y=0, layer=(i * 31) % 3) for i in range(700)]
    assert_drawn_alike(Camera(0, 0, 8, 8), sprites)


@pytest.mark.parametrize(("name", "value"), STRANGE, ids=lambda value: repr(value)[:24])
def test_a_sprite_with_a_strange_attribute_is_drawn_or_fails_alike(name: str, value: Any) -> None:
    cells = np.array([[1, -1], [2, 3]], dtype=np.int8)
    strange = with_attributes(Sprite(cells, name="strange", x=2, y=2), {name: value})
    shrunk = with_attributes(Sprite(cells, name="shrunk", x=60, y=-1, scale=-1), {name: value})
    assert_drawn_alike(Camera(0, 0, 64, 32), [Sprite([[7]], name="before", scale=5), strange])
    assert_drawn_alike(Camera(0, 0, 16, 16), [shrunk])


@pytest.mark.parametrize(("name", "value"), STRANGE_VIEWS, ids=lambda value: repr(value)[:24])
def test_a_camera_with_a_strange_attribute_renders_or_fails_alike(name: str, value: Any) -> None:
    camera = with_attributes(Camera(0, 0, 10, 20, 1, 2), {name: value})
    assert_drawn_alike(camera, [Sprite([[7, -1, 4]], name="one", x=9, y=3, scale=2)])


@pytest.mark.parametrize(
    "sprites",
    [(), None, (Sprite([[3]], name="t"),), [1], [None]],
    ids=["empty tuple", "none", "tuple", "number", "list of none"],
)
def test_a_list_that_is_none_is_drawn_or_refused_alike(sprites: Any) -> None:
    for draw in (lambda: Camera().render(sprites), lambda: Camera()._raw_render(sprites)):
        for renderer in FASTER:
            assert outcome(draw, renderer) == outcome(draw, Renderer.STOCK)


def test_a_replaced_render_method_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    painted = np.full((2, 2), 6, dtype=np.int8)
    one = with_attributes(Sprite([[1]], name="one"), {"render": lambda: painted})
    assert_drawn_alike(Camera(), [one])
    for renderer in FASTER:
        with drawing(renderer), monkeypatch.context() as patch:
            patch.setattr(Sprite, "render", lambda self: painted)
            assert (Camera().render([Sprite([[1]], name="patched")])[:2, :2] == 6).all()
    monkeypatch.setattr(Sprite, "is_visible", property(lambda self: False))
    assert_drawn_alike(Camera(), [Sprite([[1]], name="hidden")])


@pytest.mark.parametrize("renderer", FASTER)
def test_edited_pixels_are_drawn_and_earlier_frames_stay_independent(renderer: Renderer) -> None:
    sprite, camera = Sprite([[1, 2]], name="edited"), Camera()
    with drawing(renderer):
        first, rendered_sprite = camera.render([sprite]), sprite.render()
        first[:], rendered_sprite[:] = 9, 9
        sprite.pixels[0, 0] = 4
        second = camera.render([sprite])
    assert second[0, :3].tolist() == [4, 2, 5]
    assert (first == 9).all()
    assert sprite.pixels.tolist() == [[4, 2]]


@pytest.mark.parametrize("renderer", FASTER)
@pytest.mark.parametrize("shape", [(15, 16), (16, 16), (17, 33), (64, 64), (40, 70), (90, 31)], ids=str)
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_large_sprites_are_drawn_alike(rotation: int, shape: tuple[int, int], renderer: Renderer) -> None:
    cells = np.random.default_rng(1).integers(-2, 16, shape).astype(np.int8)
    layouts = [
        cells,
        cells.T.copy().T,
        cells[::-1, ::-1].copy()[::-1, ::-1],
        np.repeat(cells, 2, axis=1)[:, ::2],
    ]
    for layout, x, mirror_ud, mirror_lr in product(layouts, (-9, 0, 3, 50), (False, True), (False, True)):
        sprite = Sprite(
            layout, name="large", x=x, y=3 - x, rotation=rotation, mirror_ud=mirror_ud, mirror_lr=mirror_lr
        )
        for camera in (Camera(0, 0, 64, 64), Camera(2, -3, 23, 30)):
            draw = partial(camera.render, [sprite])
            assert outcome(draw, renderer) == outcome(draw, Renderer.STOCK)
