"""Whether answers to the survey go with how people did at static tasks (ARC-AGI-2 paper, section 4.4).

The paper finds no self-reported factor with a clear, statistically significant relationship to performance,
which is speed and accuracy there. So each question is tested against both, and all tests are corrected as one
family.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from playtest.insight.static_tasks.tables import TaskTables
from playtest.insight.study.association import Association, corrected, tests_of
from playtest.insight.study.people import Breakdown, breakdowns
from playtest.rules.survey import Question


@dataclass(frozen=True)
class Factor:
    """A question with its tests against accuracy (share of tasks solved) and speed (tasks a minute)."""

    accuracy: Association
    speed: Association

    @property
    def question(self) -> Question:
        return self.accuracy.question

    @property
    def tests(self) -> tuple[tuple[str, Association], ...]:
        return ("accuracy", self.accuracy), ("speed", self.speed)


@dataclass(frozen=True)
class Answers:
    """`breakdowns` has the people by answer, `factors` the tests, in the order of the questions."""

    breakdowns: Sequence[Breakdown]
    factors: Sequence[Factor]

    @property
    def tested(self) -> int:
        return sum(one.test is not None for factor in self.factors for _, one in factor.tests)

    @property
    def sentence(self) -> str:
        """What the tests say, as a heading."""
        if not self.tested:
            return "Too few people answered to test whether answers go with performance"
        found = [
            f"{what} goes with {factor.question.name}"
            for factor in self.factors
            for what, one in factor.tests
            if one.found
        ]
        count = f"{self.tested} test{'' if self.tested == 1 else 's'}"
        if not found:
            return f"No answer goes with accuracy or speed ({count})"
        said = "; ".join(found)
        return f"{said[0].upper()}{said[1:]} ({count})"


def answers_of(found: TaskTables) -> Answers:
    """The answers of the people who attempted static tasks, and their tests."""
    groups = breakdowns(found.results)
    people = found.by_person
    fast = people.filter(pl.col("speed").is_not_null())
    shares = dict(people.select("participant", "share").iter_rows())
    speeds = dict(fast.select("participant", "speed").iter_rows())
    tests = corrected([*tests_of(found.results, groups, shares), *tests_of(found.results, groups, speeds)])
    half = len(groups)
    return Answers(groups, [Factor(*pair) for pair in zip(tests[:half], tests[half:], strict=True)])
