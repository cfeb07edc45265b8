"""Clicks alone: a level is completed by a click on its dot; every other action does nothing, but counts.

Six levels, of which a level is lost with its tenth action.
"""

from arcengine import ARCBaseGame, Camera, Level, Sprite


class Cl01(ARCBaseGame):
    def __init__(self):
        levels = [
            Level(sprites=[Sprite([[9] * 8] * 8, name="dot", x=8 * number, y=24)], grid_size=(64, 64))
            for number in range(6)
        ]
        super().__init__("cl01", levels, Camera(background=5), available_actions=[6])

    def on_set_level(self, level):
        self.count = 0

    def step(self):
        act = self.action.id.value
        self.count += act != 0
        if act == 6 and self.current_level.get_sprite_at(self.action.data["x"], self.action.data["y"]):
            self.next_level()
        elif self.count >= 10:
            self.lose()
        self.complete_action()
