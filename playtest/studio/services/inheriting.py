"""Compares levels with those of an earlier version: one that plays the same keeps its evidence.

Both versions play every recorded win of the level, and actions drawn at random, from the same seeds. All
frames, available actions and errors must be equal, up to where the level is completed.
"""

from collections.abc import Callable
from contextlib import closing
from random import Random

from django.utils import timezone

from engine.errors import EngineError
from engine.play.actions import CLICK, EVERY_CELL, RESET, Action
from engine.play.turns import WIN, EncodedTurn
from engine.prove.qualification.plan import derived_seed
from playtest.studio.models import LevelComparison, Version
from playtest.studio.processes.game import play_each
from playtest.studio.queries import evidence
from playtest.studio.queries.fewest import recorded_wins
from playtest.studio.services.qualifications import source_of

SEEDED, LONGEST = 10, 400
"""So many sequences are drawn, as long as a random player's try, and no longer than so many actions."""
RESET_CHANCE = 1 / 64
MOST_WINS = 12

type Outcomes = list[EncodedTurn | EngineError]
type Sequence = tuple[str, int, list[Action]]
"""What it is called, its seed, its actions."""


def inherits(version: Version, level: int, beat: Callable[[], object]) -> bool:
    """Compares a level with the latest earlier version that has enough evidence of it, if it was not yet.

    Whether this has decided the level. `beat` is called between sequences of actions, and may raise.
    """
    if not evidence.verdict(version, level).open:
        return False
    before = _predecessor(version, level)
    if before is None or LevelComparison.objects.filter(version=version, before=before, level=level).exists():
        return False
    actions, difference = compare(version, before, level, beat)
    LevelComparison.objects.get_or_create(
        version=version,
        before=before,
        level=level,
        defaults={"actions": actions, "difference": difference, "compared_at": timezone.now()},
    )
    return not evidence.verdict(version, level).open


def compare(
    version: Version, before: Version, level: int, beat: Callable[[], object] = lambda: None
) -> tuple[int, str]:
    """How many actions both versions played alike, and what differs next; "" if nothing does."""
    sequences = _sequences(version, before, level)
    games = [(seed, level, actions) for _, seed, actions in sequences]
    one, other = (play_each(source_of(which), games) for which in (version, before))
    played = 0
    with closing(one), closing(other):
        for name, _, _ in sequences:
            beat()
            try:
                reached, same = _compare(next(one), next(other))
            except EngineError:  # nothing can follow in one of them
                reached, same = 0, False
            if not same:
                where = f"action {reached}" if reached else "the start"
                return played + max(0, reached - 1), f"they differ at {where} of {name}"
            played += reached
    return played, ""


def _predecessor(version: Version, level: int) -> Version | None:
    earlier = version.environment.versions.filter(pk__lt=version.pk, is_draft=False, levels__gte=level)
    candidates = earlier.select_related("environment").order_by("-pk")
    return next((one for one in candidates if not evidence.verdict(one, level).open), None)


def _sequences(version: Version, before: Version, level: int) -> list[Sequence]:
    wins = [(seed, actions) for one in (before, version) for seed, actions in recorded_wins(one, level)]
    recorded = [(seed, [Action(*action) for action in actions]) for seed, actions in wins[:MOST_WINS]]
    clicked = [one for _, actions in recorded for one in actions if one.id == CLICK] or list(EVERY_CELL)
    offered = {*version.available_actions, *(one.id for _, actions in recorded for one in actions)} - {RESET}
    length = min(LONGEST, evidence.verdict(before, level).budget or LONGEST)
    drawn: list[Sequence] = []
    for number in range(1, SEEDED + 1):
        generator = Random(derived_seed(number, "comparison", level))
        actions = [_drawn(generator, sorted(offered), clicked) for _ in range(length)]
        drawn.append((f"seeded play {number}", number, actions))
    return [*(("a recorded win", seed, actions) for seed, actions in recorded), *drawn]


def _drawn(generator: Random, offered: list[int], clicked: list[Action]) -> Action:
    """A click is drawn from all cells or from those that recordings click, with equal chance."""
    identifier = RESET if generator.random() < RESET_CHANCE else generator.choice(offered)
    if identifier != CLICK:
        return Action(identifier)
    return generator.choice(EVERY_CELL if generator.random() < 0.5 else clicked)


def _compare(mine: Outcomes, theirs: Outcomes) -> tuple[int, bool]:
    """Up to which action they were compared, 0 for the start, and whether it had the same outcome, too.

    All are compared, up to the first difference or the level's end.
    """
    number = 0
    for number, (one, other) in enumerate(zip(mine, theirs, strict=True)):
        if _shown(one) != _shown(other):
            return number, False
        if isinstance(one, EncodedTurn) and (one.level_completed or one.state == WIN):
            break
    return number, True


def _shown(outcome: EncodedTurn | EngineError) -> object:
    """What is compared: all that a player could tell, but of the next level nothing."""
    if not isinstance(outcome, EncodedTurn):
        return outcome.code
    if outcome.level_completed or outcome.state == WIN:
        return True
    return outcome.state, outcome.available_actions, outcome.state_hash, outcome.frames.payload
