"""Walk to the goal. Six levels, each won in three moves: 444 222 114 331 242 133.

A red pit beside each start loses the level: 1 3 3 4 4 2.
"""

from arcengine import ARCBaseGame, BlockingMode, Camera, Level, Sprite

COLOURS = {"@": 9, "G": 14, "#": 3, "x": 8}
NAMES = {"@": "player", "G": "goal", "#": "wall", "x": "pit"}

BOARDS = (
    (".x......", ".@..G...", ".#......", "........", "........", "........", "........", "........"),
    ("........", "..x@....", "........", "........", "...G....", "........", "........", "........"),
    ("....G...", "........", "..x@....", "...#....", "........", "........", "........", "........"),
    ("........", "........", "........", "...G#...", ".....@x.", "........", "........", "........"),
    ("........", "..@x....", "........", "...G....", "........", "........", "........", "........"),
    ("........", "........", ".x......", "..G.....", "....@...", "....x...", "........", "........"),
)
MOVES = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}


def level(board):
    sprites = [
        Sprite(
            [[COLOURS[mark]]],
            name=NAMES[mark],
            x=x,
            y=y,
            layer=mark == "@",
            blocking=BlockingMode.NOT_BLOCKED,
        )
        for y, row in enumerate(board)
        for x, mark in enumerate(row)
        if mark in COLOURS
    ]
    return Level(sprites=sprites, grid_size=(8, 8))


class Wk01(ARCBaseGame):
    def __init__(self, seed=0):
        camera = Camera(width=8, height=8, background=5, letter_box=4)
        levels = [level(board) for board in BOARDS]
        super().__init__("wk01", levels, camera, available_actions=[1, 2, 3, 4], seed=seed)

    def step(self):
        move = MOVES.get(self.action.id.value)
        if move:
            self.walk(*move)
        self.complete_action()

    def walk(self, dx, dy):
        player = self.current_level.get_sprites_by_name("player")[0]
        x, y = player.x + dx, player.y + dy
        under = {sprite.name for sprite in self.current_level.get_sprites() if (sprite.x, sprite.y) == (x, y)}
        if "wall" in under or not (0 <= x < 8 and 0 <= y < 8):
            return
        player.set_position(x, y)
        if "pit" in under:
            self.lose()
        elif "goal" in under:
            self.next_level()
