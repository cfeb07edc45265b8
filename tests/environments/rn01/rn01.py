"""A neighbour nobody wants, yet the same for the same source, seed and actions.

Draws by unseeded global generators, changes the frame it returned last time, keeps state in its module, its
class and arcengine's default lists. ACTION5 completes the level.
"""

import random

import numpy as np
from arcengine import ARCBaseGame, Camera, Level, RenderableUserDisplay, Sprite

SEEN = []


class Noise(RenderableUserDisplay):
    def __init__(self):
        self.last = None

    def render_interface(self, frame):
        if self.last is not None:
            self.last[:] = 0
        frame[:8, :8] = np.random.randint(0, 16, (8, 8))
        frame[8, :8] = [random.randrange(16) for _ in range(8)]
        frame[9, 0] = len(SEEN) % 16
        frame[9, 1] = len(Rn01.steps) % 16
        frame[9, 2] = len(Sprite([[1]]).tags) % 16
        self.last = frame
        return frame


class Rn01(ARCBaseGame):
    steps = []

    def __init__(self, seed=0):
        self.drift = float(np.random.random())
        levels = [Level(sprites=[Sprite([[9]], name="dot")]) for _ in range(6)]
        super().__init__("rn01", levels, Camera(interfaces=[Noise()]), seed=seed)

    def step(self):
        SEEN.append(self.action.id)
        self.steps.append(self.action.id)
        Sprite([[1]]).tags.append("worn")
        self.current_level.get_sprites()[0].set_position(int(self.drift * 40) + random.randrange(8), 40)
        if self.action.id.value == 5:
            self.next_level()
        self.complete_action()
