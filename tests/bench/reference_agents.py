"""Counts the levels that the reference agents win, with the same number of actions and several seeds.

They play the engine itself, without a server, by the same rules.
"""

import os
import statistics
from collections.abc import Callable
from random import Random

from engine.game import Game
from engine.source import load
from engine.turns import WIN
from playtest_agents.frontier import FrontierPlayer
from playtest_agents.game import Choice, Player, Turn
from playtest_agents.random_agent import RandomPlayer
from tests.live.server import ROOT

ENVIRONMENTS = ("ke52", "tb46", "tz85")
AGENTS: dict[str, Callable[[Random], Player]] = {"random": RandomPlayer, "frontier": FrontierPlayer}


def main() -> None:
    """ACTIONS (1,000) in each environment, with SEEDS (10) seeds."""
    actions, seeds = int(os.environ.get("ACTIONS", "1000")), int(os.environ.get("SEEDS", "10"))
    print("| environment | agent | tries that won level 1 | median actions for it | levels won, all tries |")
    print("| --- | --- | --- | --- | --- |")
    for code in ENVIRONMENTS:
        for name, make in AGENTS.items():
            tries = [won_after(code, make(Random(f"{seed} {code}")), actions) for seed in range(seeds)]
            first = sorted(levels[0] for levels in tries if levels)
            median = f"{statistics.median(first):.0f}" if first else ""
            print(f"| {code} | {name} | {len(first)} of {seeds} | {median} | {sum(map(len, tries))} |")
    print()


def won_after(code: str, player: Player, most: int) -> list[int]:
    """After how many actions each level was won."""
    game, turn = Game.start(load(ROOT / "games" / code), 0, all_actions=True)
    found: list[int] = []
    for taken in range(1, most + 1):
        seen = Turn("", turn.frames, turn.state, turn.levels_completed, turn.levels, turn.available_actions)
        choice = player.choose(seen)
        if not isinstance(choice, Choice):
            break
        turn = game.act(choice.action)
        found += [taken] * (turn.levels_completed - len(found))
        if turn.state == WIN:
            break
    return found
