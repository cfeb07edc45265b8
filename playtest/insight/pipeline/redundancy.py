"""Two environments compared, to decide whether one is redundant."""

from dataclasses import dataclass
from itertools import zip_longest

from django.db.models import QuerySet

from playtest.insight.baseline.report import baseline_report
from playtest.rules.baseline import Fewest
from playtest.studio.models import Environment, Exploration, RedundantPair
from playtest.studio.queries.catalogue import levels


@dataclass(frozen=True)
class LevelSide:
    """A level of one environment, with its fewest actions and its state graph."""

    number: int
    fewest: Fewest | None
    exploration: Exploration | None


@dataclass(frozen=True)
class Comparison:
    """Two environments, level by level, and their mark if they are redundant."""

    first: Environment
    second: Environment
    levels: tuple[tuple[LevelSide | None, LevelSide | None], ...]
    pair: RedundantPair | None

    @property
    def newer(self) -> list[Environment]:
        """Those whose current version was imported after the mark, so that nobody has compared it."""
        both = (self.first, self.second)
        marked = self.pair.marked_at if self.pair else None
        return [one for one in both if marked and one.current and one.current.imported_at > marked]


def pairs() -> QuerySet[RedundantPair]:
    """All marked pairs, the newest first."""
    found = RedundantPair.objects.select_related("first", "second", "marked_by")
    return found.defer("first__note", "second__note").order_by("-marked_at")


def compare(first: Environment, second: Environment) -> Comparison:
    """Compares two environments. Levels that only one of them has come last."""
    ids = sorted((first.pk, second.pk))
    return Comparison(
        first,
        second,
        tuple(zip_longest(_levels(first), _levels(second))),
        RedundantPair.objects.filter(first=ids[0], second=ids[1]).select_related("marked_by").first(),
    )


def _levels(environment: Environment) -> list[LevelSide]:
    version = environment.current
    if version is None:
        return []
    known = baseline_report(version).levels
    return [
        LevelSide(
            level.number,
            known[level.number - 1].fewest,
            level.result,
        )
        for level in levels(environment)
    ]
