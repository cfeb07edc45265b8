"""Measures the bytes of each turn along the winning recordings of a folder of environments.

The folder is BENCH_GAMES, by default `games/`.
"""

import os
import statistics
from collections.abc import Iterator
from pathlib import Path

from engine.frames import encode
from engine.game import Game
from engine.recording import read
from engine.source import Source, load
from engine.turns import WIN, EncodedFrames
from tests.live.server import ROOT

HEADER_BYTES = 14


def main() -> None:
    print("| environment | actions | bytes p50 | mean | p99 | before deflating, mean |")
    print("| --- | --- | --- | --- | --- | --- |")
    every: list[EncodedFrames] = []
    for folder in sorted(Path(os.environ.get("BENCH_GAMES", ROOT / "games")).iterdir()):
        for recording in sorted(folder.rglob("*win*.jsonl")):
            turns = list(_turns(load(folder), recording))
            _print(folder.name, turns)
            every += turns
    _print("all", every)


def _turns(source: Source, recording: Path) -> Iterator[EncodedFrames]:
    """The frames of each action's turn, as a host answers them."""
    with recording.open() as lines:
        actions = [turn.action for turn in read(lines).turns[1:]]
    game, turn = Game.start(source, 0, as_arcengine=True)
    for action in actions:
        if turn.state == WIN:
            return
        before, turn = turn, game.act(action)
        yield EncodedFrames.of(
            encode(turn.frames, before.frames[-1], level_changed=turn.level != before.level)
        )


def _print(name: str, turns: list[EncodedFrames]) -> None:
    sizes = sorted(HEADER_BYTES + len(turn.data) for turn in turns)
    plain = HEADER_BYTES + statistics.mean(len(turn.payload) for turn in turns)
    print(
        f"| {name} | {len(sizes)} | {statistics.median(sizes):.0f} | {statistics.mean(sizes):.0f} "
        f"| {sizes[len(sizes) * 99 // 100]} | {plain:.0f} |"
    )
