"""Light every lamp. Six levels of one to six lamps, 8x8 cells each; ACTION7 undoes.

A click on a lamp flashes (two frames). Lamp i of a level lies at x = 2 + 10 * i, y = 20 + 4 * i.
A level is lost after twelve clicks.
"""

from arcengine import ARCBaseGame, BlockingMode, Camera, Level, Sprite

DARK, FLASH, LIT = 3, 0, 11
LAMP = [[DARK] * 8 for _ in range(8)]
MOST_CLICKS = 12


def level(lamps):
    sprites = [
        Sprite(
            LAMP,
            name=f"lamp{i}",
            x=2 + 10 * i,
            y=20 + 4 * i,
            blocking=BlockingMode.BOUNDING_BOX,
            tags=["sys_click"],
        )
        for i in range(lamps)
    ]
    return Level(sprites=sprites, grid_size=(64, 64))


class Ck01(ARCBaseGame):
    def __init__(self):
        levels = [level(lamps) for lamps in range(1, 7)]
        super().__init__("ck01", levels, Camera(background=5), available_actions=[6, 7])

    def on_set_level(self, level):
        self.clicked = []
        self.flashing = None

    def step(self):
        if self.flashing is not None:
            self.settle()
        elif self.action.id.value == 6:
            self.click(self.action.data["x"], self.action.data["y"])
            if self.flashing is not None:
                return
        elif self.action.id.value == 7 and self.clicked:
            self.toggle(self.clicked.pop())
        self.complete_action()

    def click(self, x, y):
        self.flashing = self.current_level.get_sprite_at(x, y)
        if self.flashing is not None:
            self.was = int(self.flashing.pixels[0, 0])
            self.flashing.pixels[:] = FLASH

    def settle(self):
        lamp, self.flashing = self.flashing, None
        lamp.pixels[:] = self.was
        self.toggle(lamp)
        self.clicked.append(lamp)
        if all(other.pixels[0, 0] == LIT for other in self.current_level.get_sprites()):
            self.next_level()
        elif len(self.clicked) >= MOST_CLICKS:
            self.lose()

    def toggle(self, lamp):
        lamp.pixels[:] = DARK if lamp.pixels[0, 0] == LIT else LIT
