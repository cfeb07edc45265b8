"""Files of a study's static tasks, and answers to the survey against accuracy and speed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
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
    groups = breakdowns(found.results)
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


def _table(name: str, title: str, columns: Sequence[Column], rows: Sequence[Row]) -> Figure:
    return Figure(name=name, kind="table", title=title, caption="", columns=columns, rows=rows, empty="")


def _digests(rows: pl.DataFrame) -> dict[int, str]:
    """The digest of each version of these rows."""
    versions = rows["version"].unique().to_list()
    return dict(Version.objects.filter(pk__in=versions).values_list("pk", "digest"))


def numbers_table(found: TaskTables, _links: StudyLinks) -> Figure:
    """The numbers of the paper with their definitions."""
    columns = (
        Column("name", "Name"), Column("label", "Number"), Column("value", "Value"), Column("unit", "Unit"),
        Column("n", "n"), Column("of", "of"), Column("definition", "Definition"),
        Column("paper", "ARC-AGI-2 paper"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.name, one.label, one.value, one.unit, one.n, one.of, one.definition, one.paper)
        for one in all_numbers(found, redundancy(found.results.study))
    ]
    return _table("numbers", "Numbers of static tasks", columns, rows)


def tasks_table(found: TaskTables, links: StudyLinks) -> Figure:
    """One row for each task."""
    columns = (
        Column("label", "Task"), Column("pairs", "Test pairs"), Column("people", "People"),
        Column("solved", "Solved all pairs"), Column("partly", "Solved any pair"),
        Column("percent", "Solved", "%"), Column("partial", "Partial credit", "%"),
        Column("minutes", "Median time", "minutes"), Column("accepted", "Accepted"), VERSION, HREF,
    )  # fmt: skip
    digests = _digests(found.by_task)
    rows: list[Row] = [
        (
            task, pairs, people, solved, partly, 100 * share, 100 * partial, minutes, accepted,
            digests[version], links.environment(task),
        )
        for task, version, pairs, people, solved, partly, share, partial, minutes, accepted
        in found.by_task.iter_rows()
    ]  # fmt: skip
    return _table("tasks", "Tasks", columns, rows)


def pairs_table(found: TaskTables, links: StudyLinks) -> Figure:
    """One row for each test pair."""
    return pairs_of(found.by_pair, links)


def pairs_of(rows: pl.DataFrame, links: StudyLinks) -> Figure:
    """Rows of `TaskTables.by_pair`."""
    columns = (
        Column("label", "Task"), Column("pair", "Test pair"), Column("people", "People"),
        Column("solved", "Solved"), Column("first", "At the first try"), Column("percent", "Solved", "%"),
        Column("minutes", "Median time", "minutes"), VERSION, HREF,
    )  # fmt: skip
    digests = _digests(rows)
    known = rows.select("environment", "version", "level", "people", "solved", "first", "share", "minutes")
    listed: list[Row] = [
        (task, pair, people, solved, first, 100 * share, minutes, digests[version], links.environment(task))
        for task, version, pair, people, solved, first, share, minutes in known.iter_rows()
    ]
    return _table("pairs", "Test pairs", columns, listed)


def people_table(found: TaskTables, links: StudyLinks) -> Figure:
    """One row for each person."""
    return people_of(found.by_person, links)


def people_of(rows: pl.DataFrame, links: StudyLinks) -> Figure:
    """Rows of `TaskTables.by_person`."""
    columns = (
        Column("label", "Participant"), Column("sessions", "Sessions"), Column("tasks", "Tasks"),
        Column("solved", "Tasks solved"), Column("percent", "Tasks solved", "%"),
        Column("pairs", "Test pairs"), Column("solved_pairs", "Test pairs solved"),
        Column("pair_percent", "Test pairs solved", "%"), Column("speed", "Speed", "tasks a minute"), HREF,
    )  # fmt: skip
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
    return _table("people", "People", columns, listed)


def redundancy_table(found: TaskTables, _links: StudyLinks) -> Figure:
    """One row for each two tasks that are the same, and for each mark of two as redundant."""
    columns = (
        Column("first", "Task"), Column("second", "Task"), Column("found", "Found by"),
        Column("standing", "Standing"), Column("reason", "Reason"),
    )  # fmt: skip
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
    return _table("redundancy", "Redundant tasks", columns, rows)


def survey(found: TaskTables, _links: StudyLinks) -> Figure:
    """Results by answers to the survey."""
    return survey_table(found.results)


def tests_table(found: TaskTables, _links: StudyLinks) -> Figure:
    """One row for each test of a question against accuracy or speed."""
    columns = (
        Column("question", "Question"), Column("performance", "Performance"), Column("method", "Test"),
        Column("people", "People"), Column("statistic", "Statistic"), Column("effect", "Effect"),
        Column("p", "p"), Column("corrected", "p, corrected by Holm"),
    )  # fmt: skip
    answers = answers_of(found)
    return _table("tests", answers.sentence, columns, list(_tests(answers.factors)))


def _tests(factors: Sequence[Factor]) -> Iterator[Row]:
    for factor in factors:
        for performance, one in factor.tests:
            test = one.test
            said = (test.method, test.people, test.statistic, test.effect, test.p) if test else (None,) * 5
            yield factor.question.name, performance, *said, one.corrected


OF_ANSWERS: dict[str, Builder] = {"survey": survey, "tests": tests_table}
"""About answers to the survey, which need a right of their own."""
FILES: dict[str, Builder] = {
    "numbers": numbers_table,
    "tasks": tasks_table,
    "pairs": pairs_table,
    "people": people_table,
    "redundancy": redundancy_table,
}
NAMES = {"numbers": "numbers", "tasks": "tasks", "pairs": "test pairs", "people": "people"}
"""What the page offers above its figures, in words."""
