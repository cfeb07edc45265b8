"""Two environments compared, to decide whether one is redundant."""

from dataclasses import dataclass
from itertools import zip_longest

from playtest.insight.pages.baseline.report import baseline_report
from playtest.rules.baseline import Fewest
from playtest.rules.cards import CardContent
from playtest.studio.models import Environment, Exploration
from playtest.studio.queries.cards import content_of_environment
from playtest.studio.queries.catalogue import levels
from playtest.studio.queries.redundancy import Marked, marks_between


@dataclass(frozen=True)
class LevelSide:
    """A level of one environment, with its fewest actions and its state graph."""

    number: int
    fewest: Fewest | None
    exploration: Exploration | None


@dataclass(frozen=True)
class Comparison:
    """Two environments, level by level, the marks of the pair, the newest first, and what their cards say."""

    first: Environment
    second: Environment
    levels: tuple[tuple[LevelSide | None, LevelSide | None], ...]
    marks: tuple[Marked, ...]
    cards: tuple[CardContent | None, CardContent | None]

    @property
    def in_force(self) -> Marked | None:
        """The mark that is not lifted, of which a pair has at most one."""
        return next((one for one in self.marks if one.standing.in_force), None)

    @property
    def newer(self) -> list[Environment]:
        """Those whose current version was imported after that mark, so that nobody has compared it."""
        both = (self.first, self.second)
        marked = self.in_force.mark.marked_at if self.in_force else None
        return [one for one in both if marked and one.current and one.current.imported_at > marked]


def compare(first: Environment, second: Environment) -> Comparison:
    """Compares two environments. Levels that only one of them has come last."""
    return Comparison(
        first,
        second,
        tuple(zip_longest(_levels(first), _levels(second))),
        tuple(marks_between(first, second)),
        (content_of_environment(first), content_of_environment(second)),
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
