"""State that cannot be pickled: lambdas; and a constructor that takes no seed."""

from arcengine import ARCBaseGame, Camera, Level, Sprite

MOVES = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}


class Lm01(ARCBaseGame):
    def __init__(self):
        levels = [Level(sprites=[Sprite([[9]], name="dot", x=4, y=4)], grid_size=(8, 8)) for _ in range(6)]
        self.shift = lambda value, by: (value + by) % 8
        super().__init__("lm01", levels, Camera(width=8, height=8), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level):
        self.count = 0

    def step(self):
        self.count += 1
        self.move(*MOVES.get(self.action.id.value, (0, 0)))
        self.complete_action()

    def move(self, dx, dy):
        dot = self.current_level.get_sprites()[0]
        dot.set_position(self.shift(dot.x, dx), self.shift(dot.y, dy))
