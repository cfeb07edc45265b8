"""Plays uniformly at random: the least that every other agent has to beat."""

from dataclasses import dataclass
from random import Random

from playtest_agents.game import CLICK, RESET, SIZE, Action, Choice, Game, SeededAgent, Stop, Turn


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Draws from the available actions, ACTION6 at any of the 4,096 cells; RESET after a loss alone."""

    draws: Random

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.lost:
            return Choice(Action(RESET))
        if not turn.available:
            return Stop("no_actions")
        action = self.draws.choice(turn.available)
        if action != CLICK:
            return Choice(Action(action))
        return Choice(Action(action, self.draws.randrange(SIZE), self.draws.randrange(SIZE)))


class RandomAgent(SeededAgent):
    name = "random"

    def begin(self, game: Game, *, competition: bool) -> RandomPlayer:
        return RandomPlayer(self.draws(game))
