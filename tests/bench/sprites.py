"""Measures the drawing of rotated sprites by the compiled renderer.

The bound is the same sprites as they are. Rounds alternate between the rotations; a figure is the shortest.
"""

import time

import numpy as np
from arcengine import Camera, Sprite

from engine import render

ROUNDS = 40
FRAMES = 200
ROTATIONS = (0, 90, 180, 270)
CLEAR_SHARE = 0.4
CASES = ((60, 5), (20, 16), (6, 32), (2, 64))


def main() -> None:
    print(f"Microseconds of processor time a frame ({render.use()}), the shortest of {ROUNDS} rounds, and")
    print("the share of the same sprites as they are.")
    print(f"{CLEAR_SHARE:.0%} of the cells of transparent sprites are clear.\n")
    print(f"| sprites | as they are |{''.join(f' by {rotation} | share |' for rotation in ROTATIONS[1:])}")
    print(f"| --- | --- |{' --- |' * 6}")
    for count, size in CASES:
        for is_transparent in (False, True):
            print(_row(count, size, is_transparent), flush=True)
    print()


def _row(count: int, size: int, is_transparent: bool) -> str:
    drawn, *rotated = _shortest([_sprites(count, size, is_transparent, rotation) for rotation in ROTATIONS])
    cells = [f"{count} of {size}x{size}{', transparent' * is_transparent}", f"{drawn:.2f}"]
    for microseconds in rotated:
        cells += [f"{microseconds:.2f}", f"{drawn / microseconds:.0%}"]
    return f"| {' | '.join(cells)} |"


def _sprites(count: int, size: int, is_transparent: bool, rotation: int) -> list[Sprite]:
    numbers = np.random.default_rng(1)
    sprites = []
    for _ in range(count):
        pixels = numbers.integers(0, 16, (size, size)).astype(np.int8)
        if is_transparent:
            pixels[numbers.random((size, size)) < CLEAR_SHARE] = -1
        x, y = numbers.integers(0, 65 - size, 2).tolist()
        sprites.append(Sprite(pixels, name="sprite", x=x, y=y, rotation=rotation))
    return sprites


def _shortest(crowds: list[list[Sprite]]) -> list[float]:
    """Microseconds of a frame with each of these lists of sprites, in turns."""
    camera = Camera(0, 0, 64, 64)
    shortest = [float("inf")] * len(crowds)
    for _ in range(ROUNDS):
        for number, sprites in enumerate(crowds):
            began = time.thread_time()
            for _ in range(FRAMES):
                camera.render(sprites)
            shortest[number] = min(shortest[number], (time.thread_time() - began) / FRAMES * 1e6)
    return shortest
