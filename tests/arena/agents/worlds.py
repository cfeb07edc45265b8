"""Small deterministic worlds for players, without a server."""

from dataclasses import dataclass

import numpy as np

from playtest_agents.game import GAME_OVER, NOT_FINISHED, WIN, Action, Choice, Player, Stop, Turn


def turn(
    *, seen: int = 0, state: str = NOT_FINISHED, completed: int = 0, available: tuple[int, ...] = (1, 2)
) -> Turn:
    """A turn whose frame shows a number."""
    frame = np.zeros((64, 64), np.uint8)
    for bit in range(32):
        frame[0, bit] = seen >> bit & 1
    return Turn("guid", (frame,), state, completed, 2, available)


@dataclass
class World:
    """Level after level a table: place -> action -> place. `lost` places lose, `WON` completes the level."""

    levels: list[list[dict[int, int]]]
    lost: frozenset[int] = frozenset()
    place: int = 0
    completed: int = 0
    full_restarts: int = 0
    since_start: int = 0

    WON = -1

    def turn(self) -> Turn:
        if self.completed == len(self.levels):
            return turn(state=WIN, completed=self.completed)
        offered = tuple(self.levels[self.completed][self.place])
        state = GAME_OVER if self.place in self.lost else NOT_FINISHED
        return turn(seen=self.place, state=state, completed=self.completed, available=offered)

    def act(self, action: Action) -> Turn:
        if action.id == 0:
            self.full_restarts += self.since_start == 0
            self.place = self.since_start = 0
        else:
            assert self.place not in self.lost
            self.since_start += 1
            self.place = self.levels[self.completed][self.place][action.id]
            if self.place == self.WON:
                self.completed, self.place, self.since_start = self.completed + 1, 0, 0
        return self.turn()


def play(world: World, player: Player, most: int = 500) -> tuple[list[Action], str]:
    """The actions taken and why they ended: "won", "limit" or the player's reason."""
    actions: list[Action] = []
    seen = world.turn()
    while seen.state != WIN:
        choice = player.choose(seen)
        if isinstance(choice, Stop):
            return actions, choice.reason
        if len(actions) == most:
            return actions, "limit"
        assert isinstance(choice, Choice)
        actions.append(choice.action)
        seen = world.act(choice.action)
    return actions, "won"
