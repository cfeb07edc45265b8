"""Fails on demand: 1 raises, 2 never ends, 3 draws colour 16, 4 ends the process, 6 writes text where its
host's answers have frames, 7 claims to be on level 301; 5 does nothing wrong.
"""

import os
import sys

from arcengine import ARCBaseGame, Camera, Level, RenderableUserDisplay, Sprite


class Overlay(RenderableUserDisplay):
    colour = None

    def render_interface(self, frame):
        if self.colour is not None:
            frame[0, 0] = self.colour
        return frame


class Ft01(ARCBaseGame):
    claimed = 0

    def __init__(self):
        self.overlay = Overlay()
        levels = [Level(sprites=[Sprite([[9]], name="dot", x=level, y=0)], grid_size=(8, 8)) for level in range(6)]
        super().__init__("ft01", levels, Camera(interfaces=[self.overlay]), available_actions=[1, 2, 3, 4, 5, 6, 7])

    @property
    def level_index(self):
        return self.claimed

    def step(self):
        match self.action.id.value:
            case 1:
                raise RuntimeError("on demand")
            case 2:
                while True:
                    pass
            case 3:
                self.overlay.colour = 16
            case 4:
                os._exit(3)
            case 5:
                self.current_level.get_sprites()[0].move(0, 1)
            case 6:
                names = sys._getframe()
                while "_described" not in names.f_globals or "Host" not in names.f_globals:
                    names = names.f_back
                described = names.f_globals["_described"]
                names.f_globals["_described"] = lambda *turn: described(*turn) | {"frames": "text"}
            case 7:
                self.claimed = 300
        self.complete_action()
