"""Plays parts of a qualification in this process, for environments that harm nobody."""

from __future__ import annotations

from collections.abc import Iterable

from engine.play.actions import Action
from engine.play.source import Source
from engine.prove.player import Player
from engine.prove.qualification.determinism import trace
from engine.prove.qualification.differences import compare_traces
from engine.prove.qualification.episodes import Episode
from engine.prove.qualification.findings import Finding
from engine.prove.qualification.fixed_checks import check_structure
from engine.prove.qualification.plan import DETERMINISM, RECORDINGS, STRUCTURE, Part, plan
from engine.prove.qualification.random_checks import play_part


def found(source: Source, steps: int, regimes: Iterable[str], *, seed: int = 1) -> list[Finding]:
    """Returns the findings and notes of a qualification with these regimes."""
    player = Player(source)
    parts = [part for part in plan(seed, steps) if part.regime in regimes]
    return [finding for part in parts for finding in _done(player, part)]


def before_the_last(source: Source, finding: Finding) -> tuple[Episode, Action]:
    """Plays a finding's recording up to its last action and returns the game and that action."""
    assert finding.recording is not None
    episode = Episode(Player(source), finding.recording["seed"], finding.recording["level"])
    episode.open()
    *actions, last = (Action(*action) for action in finding.recording["actions"])
    for action in actions:
        episode.act(action)
    return episode, last


def ignore(_done: int) -> None:
    """Ignores reports of progress."""


def _done(player: Player, part: Part) -> list[Finding]:
    if part.regime == STRUCTURE:
        return check_structure(player, part.seed, ignore)
    if part.regime == DETERMINISM:
        first, again = (list(_traced(player, part)) for _ in range(2))
        return compare_traces(first, again, "nondeterministic")
    assert part.regime != RECORDINGS
    return play_part(player, part, ignore)


def _traced(player: Player, part: Part) -> Iterable[list[object]]:
    for trajectory, code in trace(player, part.seed, part.steps, ignore):
        yield [trajectory.as_json(), code]
