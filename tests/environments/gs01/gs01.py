"""Guessable: level 2 is won by action 1 alone, one chance in four; any other loses it.

Each other level is won by eight actions in the right order, 1 2 3 4 4 3 2 1; a wrong one loses it.
"""

from arcengine import ARCBaseGame, Camera, Level, Sprite

ORDER = (1, 2, 3, 4, 4, 3, 2, 1)


class Gs01(ARCBaseGame):
    def __init__(self, seed=0):
        levels = [Level(sprites=[Sprite([[9]], name="dot", x=0, y=4)], grid_size=(8, 8)) for _ in range(6)]
        super().__init__("gs01", levels, Camera(width=8, height=8), available_actions=[1, 2, 3, 4], seed=seed)

    def on_set_level(self, level):
        self.dot = level.get_sprites()[0]

    def step(self):
        order = ORDER[:1] if self.level_index == 1 else ORDER
        if self.action.id.value in order:
            self.choose(order)
        elif self.action.id.value:
            self.lose()
        self.complete_action()

    def choose(self, order):
        if self.action.id.value != order[self.dot.x]:
            self.lose()
        elif self.dot.x + 1 == len(order):
            self.next_level()
        else:
            self.dot.move(1, 0)
