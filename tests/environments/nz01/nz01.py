"""One action, 1,000 frames of noise: 2 MB that no compression makes smaller. Action 4 draws them."""

import random

import numpy as np

from arcengine import ARCBaseGame, Camera, Level, Sprite

FRAMES = 1_000


def noise(number):
    data = np.frombuffer(random.Random(number).randbytes(4096), dtype=np.uint8)
    return (data & 15).astype(np.int8).reshape(64, 64)


class Nz01(ARCBaseGame):
    def __init__(self, seed=0):
        levels = [Level(sprites=[Sprite(noise(0), name="noise")], grid_size=(64, 64)) for _ in range(6)]
        super().__init__("nz01", levels, Camera(width=64, height=64), available_actions=[1, 4], seed=seed)

    def on_set_level(self, level):
        self.drawn = 0
        self.left = 0

    def step(self):
        if self.left == 0:
            self.left = FRAMES if self.action.id.value == 4 else 1
        self.left -= 1
        self.drawn += 1
        self.current_level.get_sprites()[0].pixels = noise(self.drawn)
        if self.left == 0:
            self.complete_action()
