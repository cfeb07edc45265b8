"""The check of determinism: traces of random play, and their comparison."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import EngineError
from engine.play.turns import WIN
from engine.prove.player import Player, RandomPolicy
from engine.prove.qualification.episodes import Episode
from engine.prove.qualification.findings import COSTLY, Timings, Trajectory, pace
from engine.prove.qualification.plan import Progress, shares


def trace(
    player: Player, seed: int, steps: int, progress: Progress, timings: Timings | None = None
) -> Iterator[tuple[Trajectory, str]]:
    """Random play from the start of every level, `steps` in all: each trajectory and its failure's code.

    Ends after the first costly failure. The frames of each action are added to `timings`, and its seconds as
    a machine of the usual pace would take, by a calibration before and after each level.
    """
    levels = player.start(seed, 1).turn.levels
    done = 0
    for level, share in shares(steps, range(1, levels + 1)):
        episode = Episode(player, seed, level)
        policy = RandomPolicy(seed + level, "both")
        failure = ""
        taken: list[tuple[int, float]] = []
        slower = pace()
        try:
            turn = episode.open()
            for _ in range(share):
                if turn.state == WIN:
                    break
                turn = episode.act(player.choose(policy, episode.game))
                taken.append((len(turn.frames), player.seconds))
                progress(done + len(episode.actions))
        except EngineError as error:
            failure = error.code
        if timings is not None and taken:
            slower = (slower + pace()) / 2
            timings[level] = [(frames, seconds / slower) for frames, seconds in taken]
        done += share
        yield episode.trajectory(), failure
        if failure in COSTLY:
            return
