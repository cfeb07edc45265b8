"""Measures qualification's fuzz beside stock arcengine's perform_action of the same actions.

The fuzz plays in a forked process with the limits of a worker, and all its processor time counts: choosing
actions, playing episodes again, checks, seeds and limits. Rounds alternate; a figure is its best round.
`GAMES`: folders of environments, separated by colons; `STEPS` of the fuzz.
"""

import gc
import os
import time
from pathlib import Path

from engine import render
from engine.actions import Action
from engine.confined_player import ConfinedPlayer
from engine.confinement import Confinement
from engine.game import Game
from engine.player import Player
from engine.process import ProcessLimits
from engine.qualification.plan import FUZZ, Part
from engine.qualification.random_checks import play_part
from engine.render import Renderer
from engine.source import Source, load
from engine.turns import Turn
from tests.bench.engine import timed
from tests.live.server import ROOT

SEED = 1
ROUNDS = 5

type Episode = tuple[int, int, list[Action]]


class _Recorder(Player):
    """Keeps the seed, the level and the actions of every game."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.episodes: list[Episode] = []

    def start(self, seed: int, level: int, *, as_arcengine: bool = False) -> Game:
        self.episodes.append((seed, level, []))
        return super().start(seed, level, as_arcengine=as_arcengine)

    def act(self, game: Game, action: Action) -> Turn:
        self.episodes[-1][2].append(action)
        return super().act(game, action)


def main() -> None:
    folders = os.environ.get("GAMES", str(ROOT / "games")).split(":")
    steps = int(os.environ.get("STEPS", "3000"))
    print(f"Load when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    print("Microseconds of processor time: an action of stock arcengine, of the environment with our")
    print(f"drawing, and a step of a fuzz of {steps:,}; calls of the environment a step; x stock now, and")
    print("if nothing but the environment's step cost time\n")
    print("| | stock | environment | fuzz | calls | x stock | most |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for folder in folders:
        for path in sorted(Path(folder).iterdir()):
            if (path / "metadata.json").exists():
                print(_row(load(path), steps), flush=True)
    print()


def _row(source: Source, steps: int) -> str:
    part = Part(FUZZ, 0, SEED, steps)
    recorder = _Recorder(source)
    play_part(recorder, part, lambda done: None)
    calls = sum(len(actions) for _, _, actions in recorder.episodes) / steps
    sample = recorder.episodes[:: max(1, len(recorder.episodes) // 20)]
    stock, own, fuzz = [], [], []
    for _ in range(ROUNDS):
        fuzz.append(_fuzz(source, part) / steps)
        stock.append(_inside(source, sample, Renderer.STOCK))
        own.append(_inside(source, sample, None))
    least = [min(one) * 1e6 for one in (stock, own, fuzz)]
    figures = " | ".join(f"{one:.0f}" for one in least)
    ratios = f"{least[0] / least[2]:.2f} | {least[0] / least[1]:.2f}"
    return f"| {source.environment_id} | {figures} | {calls:.2f} | {ratios} |"


def _inside(source: Source, episodes: list[Episode], renderer: Renderer | None) -> float:
    """Seconds that one of these actions takes inside arcengine's perform_action."""
    render.use(renderer)
    seconds: list[float] = []
    for seed, level, actions in episodes:
        game, _ = Game.start(source, seed, level=level)
        inside = timed(game.state[0])
        for action in actions:
            game.act(action)
        seconds += inside
    render.use()
    return sum(seconds) / len(seconds)


def _fuzz(source: Source, part: Part) -> float:
    """Processor seconds of a part that a confined process plays."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, f"{_confined(source, part, writing)}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        seconds = float(answer.read())
    os.waitpid(child, 0)
    return seconds


def _confined(source: Source, part: Part, pipe: int) -> float:
    limits = ProcessLimits()
    confinement = Confinement(limits.memory, limits.process_memory)
    confinement.seal(pipe)
    gc.freeze()
    player = ConfinedPlayer(source, confinement, (limits.start_deadline, limits.deadline))
    began = time.process_time()
    play_part(player, part, lambda done: None)
    return time.process_time() - began
