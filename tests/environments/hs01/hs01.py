"""Differs with PYTHONHASHSEED: the order of a set of names decides where the dot goes."""

from arcengine import ARCBaseGame, Camera, Level, Sprite

MOVES = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}

NAMES = {"north", "east", "south", "west", "here", "there", "up", "down"}


class Hs01(ARCBaseGame):
    def __init__(self, seed=0):
        levels = [Level(sprites=[Sprite([[9]], name="dot", x=4, y=4)], grid_size=(8, 8)) for _ in range(6)]
        super().__init__("hs01", levels, Camera(width=8, height=8), available_actions=[1, 2, 3, 4], seed=seed)

    def on_set_level(self, level):
        self.count = 0

    def step(self):
        self.count += 1
        self.move(*MOVES.get(self.action.id.value, (0, 0)))
        self.move(list(NAMES).index("north"), 0)
        self.complete_action()

    def move(self, dx, dy):
        dot = self.current_level.get_sprites()[0]
        dot.set_position((dot.x + dx) % 8, (dot.y + dy) % 8)
