"""Its available actions change: 4 steps right, then only 5 is available, which makes 4 available again.

What is not available does nothing but counts: the second dot shows how many actions were taken. Three levels, as a
prototype may have; 4, 5, 4 completes one, eight actions lose it.
"""

from arcengine import ARCBaseGame, Camera, Level, Sprite

STEP, REST = 4, 5


class Av01(ARCBaseGame):
    def __init__(self):
        levels = [
            Level(
                sprites=[Sprite([[9]], name="dot", x=0, y=2), Sprite([[8]], name="count", x=0, y=7)],
                grid_size=(16, 16),
            )
            for _ in range(3)
        ]
        super().__init__("av01", levels, Camera(width=16, height=16), available_actions=[STEP])

    def on_set_level(self, level):
        self.count = 0
        self._available_actions = [STEP]

    def step(self):
        act = self.action.id.value
        if act:
            self.count += 1
            self.current_level.get_sprites_by_name("count")[0].set_position(self.count, 7)
        if act in self._available_actions:
            if act == STEP:
                self.current_level.get_sprites_by_name("dot")[0].move(1, 0)
            self._available_actions = [REST] if act == STEP else [STEP]
        if self.current_level.get_sprites_by_name("dot")[0].x == 2:
            self.next_level()
        elif self.count >= 8:
            self.lose()
        self.complete_action()
