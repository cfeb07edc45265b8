"""Where people were lost on an environment, by the mechanics of its card."""

from collections.abc import Sequence
from dataclasses import dataclass

from playtest.insight.environment.ends import LEFT
from playtest.insight.results.version import VersionResults
from playtest.rules.cards import Mechanic
from playtest.rules.dropoff import LevelFacts
from playtest.rules.mechanics import Stretch, loss, stretches
from playtest.studio.queries.cards import mechanics_by_level


@dataclass(frozen=True)
class LevelLoss:
    """A level's facts, and the address where its leavers are watched side by side; None if there are none."""

    facts: LevelFacts
    href: str | None


@dataclass(frozen=True)
class MechanicRow:
    """A row of the table; as `rules.mechanics.Stretch`."""

    new: tuple[Mechanic, ...]
    before: tuple[Mechanic, ...]
    introduces: LevelLoss | None
    combines: tuple[LevelLoss, ...]


@dataclass(frozen=True)
class Mechanics:
    """The section of the page: a sentence that answers, and the table."""

    sentence: str
    rows: tuple[MechanicRow, ...]


def mechanics(results: VersionResults, facts: Sequence[LevelFacts]) -> Mechanics | None:
    """By the latest revision of the environment's card; None without one that names mechanics."""
    found = stretches(mechanics_by_level(results.version.environment), facts)
    if not found:
        return None
    return Mechanics(_sentence(found), tuple(_row(results, one) for one in found))


def _row(results: VersionResults, stretch: Stretch) -> MechanicRow:
    def linked(level: LevelFacts) -> LevelLoss:
        return LevelLoss(level, results.links.ends(level.level, LEFT) if level.lost else None)

    introduces = linked(stretch.introduces) if stretch.introduces else None
    return MechanicRow(stretch.new, stretch.before, introduces, tuple(map(linked, stretch.combines)))


def _sentence(found: Sequence[Stretch]) -> str:
    """Where most were lost, among the levels that introduce something and all others."""
    lost = loss(found)
    if not lost.on_new and not lost.on_others:
        return "Nobody was lost."
    begin = (
        f"{_people(lost.on_new)} lost on a level that introduces a mechanic, "
        f"{lost.on_others} on one that may combine those before it."
    )
    if len(lost.most) != 1:
        return begin
    (most,) = lost.most
    names = " and ".join(f"“{one.name}”" for one in most.new)
    assert most.introduces is not None
    return f"{begin} Most of the former, {most.introduces.lost}, where {names} came first."


def _people(count: int) -> str:
    return "1 person was" if count == 1 else f"{count} people were"
