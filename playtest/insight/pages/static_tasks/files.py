"""Files of a study's static tasks, and answers to the survey against accuracy and speed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.figures import Column, Figure, Row, table
from playtest.insight.pages.static_tasks.numbers import all_numbers
from playtest.insight.pages.static_tasks.tables import TaskTables, redundancy
from playtest.insight.pages.study.figures import survey_table
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.people import Association, Breakdown, breakdowns, corrected, tests_of
from playtest.rules.survey import Question
from playtest.studio.models import Version


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
    groups = breakdowns(found.results, whole=not found.results.has_levels)
    people = found.by_person
    fast = people.filter(pl.col("speed").is_not_null())
    shares = dict(people.select("participant", "share").iter_rows())
    speeds = dict(fast.select("participant", "speed").iter_rows())
    tests = corrected([*tests_of(found.results, groups, shares), *tests_of(found.results, groups, speeds)])
    half = len(groups)
    return Answers(groups, [Factor(*pair) for pair in zip(tests[:half], tests[half:], strict=True)])


type Builder = Callable[[TaskTables, StudyLinks], Figure]

VERSION = Column("version", "Version")
"""The digest of the task's version, in files alone."""


def on_page(table: Figure) -> Figure:
    """The table without what files alone have."""
    places = [index for index, column in enumerate(table.columns) if column != VERSION]
    return replace(
        table,
        columns=[table.columns[index] for index in places],
        rows=[tuple(row[index] for index in places) for row in table.rows],
    )


def _digests(rows: pl.DataFrame) -> dict[int, str]:
    """The digest of each version of these rows."""
    versions = rows["version"].unique().to_list()
    return dict(Version.objects.filter(pk__in=versions).values_list("pk", "digest"))


def numbers_table(found: TaskTables) -> Figure:
    """The numbers of the paper with their definitions."""
    rows: list[Row] = [
        (one.name, one.label, one.value, one.unit, one.n, one.of, one.definition, one.paper)
        for one in all_numbers(found, redundancy(found.results.study))
    ]
    return table(
        "numbers",
        "Numbers of static tasks",
        "name Name | label Number | value Value | unit Unit | n n | of of | definition Definition | "
        "paper ARC-AGI-2 paper",
        rows,
    )


def tasks_table(found: TaskTables, links: StudyLinks) -> Figure:
    """One row for each task."""
    digests = _digests(found.by_task)
    rows: list[Row] = [
        (
            task, pairs, people, solved, partly, share, partial, minutes, accepted,
            digests[version], links.environment(task),
        )
        for task, version, pairs, people, solved, partly, share, partial, minutes, accepted
        in found.by_task.with_columns(pl.col("share", "partial") * 100).iter_rows()
    ]  # fmt: skip
    return table(
        "tasks",
        "Tasks",
        "label Task | pairs Test pairs | people People | solved Solved all pairs | "
        "partly Solved any pair | percent Solved [%] | partial Partial credit [%] | "
        "minutes Median time [minutes] | accepted Accepted | version Version | href",
        rows,
    )


def pairs_of(rows: pl.DataFrame, links: StudyLinks) -> Figure:
    """One row for each test pair, of `TaskTables.by_pair`."""
    digests = _digests(rows)
    percent = pl.col("share") * 100
    known = rows.select("environment", "version", "level", "people", "solved", "first", percent, "minutes")
    listed: list[Row] = [
        (task, pair, people, solved, first, share, minutes, digests[version], links.environment(task))
        for task, version, pair, people, solved, first, share, minutes in known.iter_rows()
    ]
    return table(
        "pairs",
        "Test pairs",
        "label Task | pair Test pair | people People | solved Solved | first At the first try | "
        "percent Solved [%] | minutes Median time [minutes] | version Version | href",
        listed,
    )


def people_of(rows: pl.DataFrame, links: StudyLinks) -> Figure:
    """One row for each person, of `TaskTables.by_person`."""
    known = rows.select(
        "participant", "sessions", "tasks", "solved", "share", "speed", "pairs", "solved_pairs", "pair_share"
    )
    listed: list[Row] = [
        (
            who, len(sessions), tasks, solved, 100 * share, pairs, solved_pairs,
            None if of_pairs is None else 100 * of_pairs, speed, links.person(who, sessions),
        )
        for who, sessions, tasks, solved, share, speed, pairs, solved_pairs, of_pairs
        in known.iter_rows()
    ]  # fmt: skip
    return table(
        "people",
        "People",
        "label Participant | sessions Sessions | tasks Tasks | solved Tasks solved | "
        "percent Tasks solved [%] | pairs Test pairs | solved_pairs Test pairs solved | "
        "pair_percent Test pairs solved [%] | speed Speed [tasks a minute] | href",
        listed,
    )


def redundancy_table(found: TaskTables) -> Figure:
    """One row for each two tasks that are the same, and for each mark of two as redundant."""
    known = redundancy(found.results.study)
    rows: list[Row] = [
        (first, second, "comparison", None, "the same up to colours, rotation and reflection")
        for same in known.same
        for first, second in same.pairs
    ]
    rows += [
        (one.first, one.second, "review", one.marked.standing.value, one.marked.mark.reason)
        for one in known.reviewed
    ]
    return table(
        "redundancy",
        "Redundant tasks",
        "first Task | second Task | found Found by | standing Standing | reason Reason",
        rows,
    )


def tests_table(found: TaskTables) -> Figure:
    """One row for each test of a question against accuracy or speed."""
    answers = answers_of(found)
    return table(
        "tests",
        answers.sentence,
        "question Question | performance Performance | method Test | people People | statistic Statistic | "
        "effect Effect | p p | corrected p, corrected by Holm",
        list(_tests(answers.factors)),
    )


def _tests(factors: Sequence[Factor]) -> Iterator[Row]:
    for factor in factors:
        for performance, one in factor.tests:
            test = one.test
            said = (test.method, test.people, test.statistic, test.effect, test.p) if test else (None,) * 5
            yield factor.question.name, performance, *said, one.corrected


OF_ANSWERS: dict[str, Builder] = {
    "survey": lambda found, _links: survey_table(found.results),
    "tests": lambda found, _links: tests_table(found),
}
"""About answers to the survey, which need a right of their own."""
FILES: dict[str, Builder] = {
    "numbers": lambda found, _links: numbers_table(found),
    "tasks": tasks_table,
    "pairs": lambda found, links: pairs_of(found.by_pair, links),
    "people": lambda found, links: people_of(found.by_person, links),
    "redundancy": lambda found, _links: redundancy_table(found),
}
NAMES = {"numbers": "numbers", "tasks": "tasks", "pairs": "test pairs", "people": "people"}
"""What the page offers above its figures, in words."""
