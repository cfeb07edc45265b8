"""A generator of environments with many sprites: as many levels, sprites and moves as its constants say.

Walk over every lamp, then to the exit, before the moves are used up. A guard goes up and down a column; which
way it goes is declared as hidden state. Everything else is scenery, strewn by `SEED`.
"""

import random

import numpy as np
from arcengine import ARCBaseGame, BlockingMode, Camera, Level, Sprite

LEVELS, SPRITES, LAMPS, MOST_MOVES, SEED = 7, 300, 2, 14, 1
SIZE = 16
MOVES = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}
DARK, LIT, GUARDED = 11, 14, SIZE - 2


def reached(walls, start, moves):
    """The cells within so many moves, and how many each takes."""
    found, edge = {start: 0}, [start]
    for x, y in edge:
        for dx, dy in MOVES.values():
            cell = (x + dx, y + dy)
            if found[x, y] < moves and inside(*cell) and cell not in walls and cell not in found:
                found[cell] = found[x, y] + 1
                edge.append(cell)
    return found


def inside(x, y):
    return 0 <= x < GUARDED and 1 <= y < SIZE


def strewn(number, count):
    """The sprites of one level: walls, lamps, the exit, player and guard, and scenery up to the count."""
    draw = random.Random(f"{SEED}/{number}")
    cells = [(x, y) for x in range(GUARDED) for y in range(1, SIZE)]
    start = (draw.randrange(4, 10), draw.randrange(5, 11))
    walls = {cell for cell in draw.sample(cells, min(count // 4, 50)) if cell != start}
    near = sorted(set(reached(walls, start, 4)) - {start}) or [start]
    *lamps, (exit_x, exit_y) = draw.sample(near * (LAMPS + 1), LAMPS + 1)
    found = [Sprite([[3]], name="wall", x=x, y=y, tags=["wall"]) for x, y in sorted(walls)]
    found += [Sprite([[DARK]], name="lamp", x=x, y=y, layer=1, tags=["lamp"]) for x, y in lamps]
    found += [
        Sprite([[8]], name="exit", x=exit_x, y=exit_y, layer=1, tags=["exit"]),
        Sprite([[9]], name="player", x=start[0], y=start[1], layer=2, tags=["player"]),
        Sprite([[6]], name="guard", x=GUARDED, y=8, layer=2, tags=["guard"]),
    ]
    while len(found) < count:
        pixels = [[draw.choice((0, 1, 2, 4)) for _ in range(draw.randint(1, 3))] for _ in range(2)]
        width = max(map(len, pixels))
        pixels = [row + [-1] * (width - len(row)) for row in pixels]
        x, y = draw.choice(cells)
        blocking = BlockingMode.NOT_BLOCKED
        found.append(Sprite(pixels, name=f"scenery{len(found)}", x=x, y=y, layer=-1, blocking=blocking))
    return found


class Mx01(ARCBaseGame):
    def __init__(self, seed=0):
        share = [SPRITES // LEVELS + (number < SPRITES % LEVELS) for number in range(LEVELS)]
        levels = [
            Level(sprites=strewn(number, count), grid_size=(SIZE, SIZE)) for number, count in enumerate(share)
        ]
        camera = Camera(width=SIZE, height=SIZE, background=5, letter_box=4)
        super().__init__("mx01", levels, camera, available_actions=[1, 2, 3, 4], seed=seed)

    def on_set_level(self, level):
        self.left, self.down = MOST_MOVES, True
        self.bar = Sprite([[7] * MOST_MOVES], name="bar")
        level.add_sprite(self.bar)
        self.player, self.guard, self.exit = (
            level.get_sprites_by_tag(tag)[0] for tag in ("player", "guard", "exit")
        )
        self.lamps = level.get_sprites_by_tag("lamp")
        self.walls = {(one.x, one.y) for one in level.get_sprites_by_tag("wall")}

    def step(self):
        move = MOVES.get(self.action.id.value)
        if move:
            self.patrol()
            self.walk(self.player.x + move[0], self.player.y + move[1])
            self.count_down()
        self.complete_action()

    def patrol(self):
        if self.guard.y in (1, SIZE - 1):
            self.down = not self.down
        self.guard.move(0, 1 if self.down else -1)

    def walk(self, x, y):
        if (x, y) in self.walls or not inside(x, y):
            return
        self.player.set_position(x, y)
        for lamp in self.lamps:
            if (lamp.x, lamp.y) == (x, y):
                lamp.color_remap(DARK, LIT)
        if (self.exit.x, self.exit.y) == (x, y) and all(lamp.pixels[0, 0] == LIT for lamp in self.lamps):
            self.next_level()

    def count_down(self):
        self.left -= 1
        self.current_level.remove_sprite(self.bar)
        self.bar = Sprite([[7] * self.left + [0] * (MOST_MOVES - self.left)], name="bar")
        self.current_level.add_sprite(self.bar)
        if not self.left and not self._next_level and self._state.value == "NOT_FINISHED":
            self.lose()

    def _get_hidden_state(self):
        return np.array([self.down], dtype=np.int8)
