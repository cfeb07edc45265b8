"""Measures the engine: drawing beside stock arcengine, exploration and qualification.

Every renderer plays the same actions in turn, round after round, so that all see the same machine; a
renderer's figure is its best round, in processor time. "Free" drawing hands out frames of an earlier play.
"""

import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arcengine import ARCBaseGame, Camera, Sprite

from engine.confine.client import run_worker
from engine.confine.process import ProcessLimits
from engine.play import rendering as render
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.rendering import Cells, Renderer
from engine.play.source import Source, load
from engine.play.turns import WIN
from engine.prove.exploration.explore import explore
from engine.prove.exploration.graph import Limits
from engine.prove.player import LevelPlayer, Player, RandomPolicy
from engine.prove.qualification.plan import FUZZ
from tools.games import shipped, winning_actions

SEED = 1
RANDOM_STEPS = 400
ROUNDS = 7
FREE = "free"
FLOOR = 1_000
EXPLORED = Limits(nodes=1_500, seconds=30)
QUALIFIED_STEPS = 6_000
WORKERS = (1, 2)


@dataclass
class Played:
    """One play of all actions: seconds in arcengine's perform_action, and in all of Game.act."""

    inside: float
    whole: float
    frames: int


@dataclass
class Measured:
    """An environment's rounds, by renderer."""

    name: str
    actions: int
    rounds: dict[str, list[Played]] = field(default_factory=dict)

    def inside(self, renderer: str) -> float:
        return min(played.inside for played in self.rounds[renderer])

    def whole(self, renderer: str) -> float:
        return min(played.whole for played in self.rounds[renderer])

    @property
    def frames(self) -> int:
        return self.rounds[Renderer.STOCK][0].frames


def main() -> None:
    print(f"Load when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    sources = [load(path) for path in shipped()]
    measured = [_measure(source) for source in sources]
    _print_drawing(measured)
    _print_engine(measured)
    _print_explorer(sources)
    _print_qualification(sources)
    print(f"Load when it ended: {os.getloadavg()[0]:.1f}.\n")


def _measure(source: Source) -> Measured:
    plays = [winning_actions(Path(source.path).parent), _random_actions(source)]
    drawn = [_frames_drawn(source, actions) for actions in plays]
    measured = Measured(source.environment_id, sum(map(len, plays)))
    for _ in range(ROUNDS):
        for renderer in (*render.renderers(), FREE):
            rounds = [_play(source, *pair, renderer) for pair in zip(plays, drawn, strict=True)]
            whole = Played(
                sum(played.inside for played in rounds),
                sum(played.whole for played in rounds),
                sum(played.frames for played in rounds),
            )
            measured.rounds.setdefault(renderer, []).append(whole)
    render.use()
    return measured


def _play(source: Source, actions: list[Action], drawn: list[Cells], renderer: str) -> Played:
    with _drawing_free(drawn) if renderer == FREE else _drawing(Renderer(renderer)):
        game, _ = Game.start(source, SEED)
        inside = timed(game.state[0])
        frames = 0
        began = time.process_time()
        for action in actions:
            frames += len(game.act(action).frames)
        return Played(sum(inside), time.process_time() - began, frames)


def timed(rules: ARCBaseGame) -> list[float]:
    """Adds the seconds of every call of the rules' perform_action to the returned list."""
    perform, seconds = rules.perform_action, list[float]()

    def timed(*given: Any, **named: Any) -> Any:
        began = time.process_time()
        drawn = perform(*given, **named)
        seconds.append(time.process_time() - began)
        return drawn

    rules.__dict__["perform_action"] = timed
    return seconds


@contextmanager
def _drawing(renderer: Renderer) -> Iterator[None]:
    render.use(renderer)
    yield


@contextmanager
def _drawing_free(drawn: list[Cells]) -> Iterator[None]:
    """Frames come from `drawn`; only the environment's own interfaces still draw on them."""
    render.use()
    frames = iter(drawn)

    def free(self: Camera, sprites: list[Sprite]) -> Cells:
        output = next(frames).copy()
        for interface in self._interfaces:
            output = interface.render_interface(output)
        return output

    Camera.render = free  # type: ignore[method-assign]
    yield


def _frames_drawn(source: Source, actions: list[Action]) -> list[Cells]:
    """What Camera.render makes of the start and the actions, before the interfaces draw on it."""
    render.use(Renderer.STOCK)
    drawn: list[Cells] = []
    stock = Camera.render

    def keeping(self: Camera, sprites: list[Sprite]) -> Cells:
        interfaces, self._interfaces = self._interfaces, []
        output = stock(self, sprites)
        self._interfaces = interfaces
        drawn.append(output.copy())
        for interface in interfaces:
            output = interface.render_interface(output)
        return output

    Camera.render = keeping  # type: ignore[method-assign]
    game, _ = Game.start(source, SEED)
    for action in actions:
        game.act(action)
    return drawn


def _random_actions(source: Source) -> list[Action]:
    game, policy = Game.start(source, SEED)[0], RandomPolicy(SEED, "both")
    actions: list[Action] = []
    while len(actions) < RANDOM_STEPS and game.turn.state != WIN:
        actions.append(policy.choose(game))
        game.act(actions[-1])
    return actions


def _print_drawing(measured: list[Measured]) -> None:
    """Prints frames a second and their share of the speed without drawing."""
    faster = render.renderers()[1:]
    heads = [f"{renderer}: actions/s | frames/s | x stock | share of bound" for renderer in faster]
    print("arcengine's perform_action, on the winning recording and random play, by renderer\n")
    print(f"| | stock: actions/s | frames/s | {' | '.join(heads)} | free: actions/s |")
    print(f"| --- | --- | --- |{' --- |' * (4 * len(faster) + 1)}")
    ratios: dict[str, list[float]] = {}
    for one in measured:
        stock, bound = one.inside(Renderer.STOCK), one.inside(FREE)
        cells = [f"{one.actions / stock:,.0f}", f"{one.frames / stock:,.0f}"]
        for renderer in faster:
            seconds = one.inside(renderer)
            ratios.setdefault(renderer, []).append(stock / seconds)
            cells += [f"{one.actions / seconds:,.0f}", f"{one.frames / seconds:,.0f}"]
            cells += [f"{stock / seconds:.2f}", f"{bound / seconds:.0%}"]
        print(f"| {one.name} | {' | '.join(cells)} | {one.actions / bound:,.0f} |")
    medians = [f"{renderer} {statistics.median(found):.2f} x stock" for renderer, found in ratios.items()]
    print(f"\nMedian: {', '.join(medians)}.\n")


def _print_engine(measured: list[Measured]) -> None:
    print("All of Game.act, with seeds, checks, copies and hashes\n")
    print(f"| | stock frames/s | frames/s | x stock | at least {FLOOR:,} |")
    print("| --- | --- | --- | --- | --- |")
    for one in measured:
        stock, ours = one.whole(Renderer.STOCK), one.whole(render.renderers()[-1])
        reached = "yes" if one.frames / ours >= FLOOR else "no"
        figures = f"{one.frames / stock:,.0f} | {one.frames / ours:,.0f} | {stock / ours:.2f}"
        print(f"| {one.name} | {figures} | {reached} |")
    print()


def _print_explorer(sources: list[Source]) -> None:
    print(f"The explorer on level 2, at most {EXPLORED.nodes:,} nodes\n")
    print("| | nodes | nodes/s | edges/s | restored by |")
    print("| --- | --- | --- | --- | --- |")
    for source in sources:
        began = time.process_time()
        graph = explore(LevelPlayer(Player(source), SEED, 2), EXPLORED, time.monotonic)
        seconds = time.process_time() - began
        figures = f"{len(graph.nodes):,} | {len(graph.nodes) / seconds:,.0f} | {graph.edges / seconds:,.0f}"
        print(f"| {source.environment_id} | {figures} | {graph.restored_by} |")
    print()


def _print_qualification(sources: list[Source]) -> None:
    print(
        f"Qualification's fuzz, {QUALIFIED_STEPS:,} steps a worker, confined: steps a second by the clock\n"
    )
    print(f"| | {' | '.join(f'{count} worker{"s" * (count > 1)}' for count in WORKERS)} |")
    print(f"| --- |{' --- |' * len(WORKERS)}")
    for source in sources:
        rates = []
        for count in WORKERS:
            with ThreadPoolExecutor(count) as pool:
                spans = list(pool.map(_fuzz, [source] * count, range(count)))
            seconds = max(end for _, end in spans) - min(begin for begin, _ in spans)
            rates.append(f"{QUALIFIED_STEPS * count / seconds:,.0f}")
        print(f"| {source.environment_id} | {' | '.join(rates)} |")
    print()


def _fuzz(source: Source, number: int) -> tuple[float, float]:
    """Returns when a worker began to play and when it ended, in seconds of the clock."""
    part = {"regime": FUZZ, "number": number, "seed": SEED + number, "steps": QUALIFIED_STEPS}
    request: dict[str, Any] = {"part": part, "metadata": source.metadata, "text": source.text}
    request |= {"path": source.path, "sends_calls": False, "live_deadline": 1.0, "recordings": []}
    began: list[float] = []
    run_worker(
        "engine.confine.workers.qualification",
        request,
        ProcessLimits(),
        counts=("done",),
        silence=60.0,
        seconds=3600.0,
        check=lambda result: result,
        on_progress=lambda counts: began.append(time.monotonic()) if counts["done"] else None,
    )
    return began[0], time.monotonic()
