"""Measures the exploration of state graphs beside a plain search, with many sprites.

Both search the same states of the same levels, in turns, in one process; processor time counts, and of the
explorer all of it: what it tries out before and on the way is among it.
"""

import os
import time
from dataclasses import dataclass

from engine.exploration.explore import explore
from engine.exploration.graph import Limits
from engine.player import LevelPlayer, Player
from engine.source import Source
from tests.bench import plain_search
from tests.engine.crowds import crowd

ROUNDS = 2
LEVEL = 4


@dataclass(frozen=True)
class Case:
    """An environment, and how many states of it are searched: fewer by copies, which take long."""

    name: str
    source: Source
    states: int
    copied: int


CASES = (
    Case("7 levels, 300 sprites", crowd(sprites=300), 10_000, 400),
    Case("7 levels, 300 sprites each", crowd(sprites=2_100), 10_000, 40),
)


@dataclass(frozen=True)
class Rate:
    """States, actions tried in them, processor seconds."""

    states: int
    actions: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.states / self.seconds


def main() -> None:
    print(f"Load when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    print("States a processor second; the explorer's ratio is to the faster plain search\n")
    print("| | round | plain, copies | plain, replays | explorer | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    ratios: list[float] = []
    for case in CASES:
        for number in range(1, ROUNDS + 1):
            plain = [_plain(case, by) for by in (plain_search.COPIES, plain_search.REPLAYS)]
            ours = _explorer(case)
            ratio = ours.per_second / max(one.per_second for one in plain)
            ratios.append(ratio)
            cells = " | ".join(f"{one.per_second:,.0f} ({one.states:,})" for one in (*plain, ours))
            print(f"| {case.name} | {number} | {cells} | {ratio:.2f} |", flush=True)
    print(f"\nSmallest ratio: {min(ratios):.2f}; at least 1 is asked for.\n")


def _plain(case: Case, by: str) -> Rate:
    began = time.process_time()
    states = case.copied if by == plain_search.COPIES else case.states
    found = plain_search.search(case.source, LEVEL, states, by)
    return Rate(found.states, found.actions, time.process_time() - began)


def _explorer(case: Case) -> Rate:
    began = time.process_time()
    graph = explore(LevelPlayer(Player(case.source), 0, LEVEL), Limits(nodes=case.states), time.monotonic)
    return Rate(len(graph.nodes), graph.edges, time.process_time() - began)
