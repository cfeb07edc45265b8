"""The numbers that the ARC-AGI-2 paper gives of static tasks (sections 4.3 to 5), with their definitions."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from playtest.insight.pages.static_tasks.tables import Redundancy, TaskTables
from playtest.insight.tables.results import IS_CUT_SHORT
from playtest.rules.inference.ranks import FEWEST_TESTED
from playtest.rules.redundancy import Standing
from playtest.rules.text import persons

_SMALLEST_SHOWN = 0.001
_MOST_PAIRS = 4
"""Tasks with so many test pairs and more are counted together."""
_SINGULAR = {"people": "person"}
_DASH = "–"  # noqa: RUF001


@dataclass(frozen=True)
class Number:
    """One number: its name in files, what it is in words and in one sentence, its value and unit.

    `n` is over how many `of` it is computed, None for a count. `paper` is what the paper says, if it does.
    """

    name: str
    label: str
    definition: str
    value: float | int | None
    unit: str
    n: int | None = None
    of: str = ""
    paper: str = ""

    @property
    def text(self) -> str:
        """The value as the page shows it."""
        if self.value is None:
            return _DASH
        if isinstance(self.value, int):
            return f"{self.value:,}"
        if self.unit == "p":
            return "< 0.001" if self.value < _SMALLEST_SHOWN else f"{self.value:.3f}"
        if self.unit == "%":
            return f"{self.value:.1f} %"
        return f"{self.value:.2f}" + ("" if self.unit == "rho" else f" {self.unit}")

    @property
    def counted(self) -> str:
        """The unit of a count, after its value."""
        return _SINGULAR.get(self.unit, self.unit.removesuffix("s")) if self.value == 1 else self.unit


@dataclass(frozen=True)
class Section:
    """Numbers that answer one question."""

    heading: str
    numbers: tuple[Number, ...]


def sections(found: TaskTables, redundancy: Redundancy) -> list[Section]:
    """All numbers in the order of the paper."""
    return [
        Section("Who attempted what", (*_people(found), *_tasks_by_pairs(found))),
        Section("How long it took", tuple(_times(found))),
        Section("How much was solved", (*_attempts_solved(found), *_mean_success(found))),
        Section("Speed and accuracy", tuple(_speed(found))),
        Section("Which tasks can be selected", (*_selection(found), *_redundant(redundancy))),
    ]


def all_numbers(found: TaskTables, redundancy: Redundancy) -> list[Number]:
    return [number for section in sections(found, redundancy) for number in section.numbers]


def _people(found: TaskTables) -> Iterator[Number]:
    pairs = found.pairs
    yield Number(
        "people", "People", "People with at least one attempt at a test pair.",
        pairs["participant"].n_unique(), "people", paper="407",
    )  # fmt: skip
    yield Number(
        "sessions", "Sessions", "Sessions with at least one attempt at a test pair.",
        pairs["session"].n_unique(), "sessions", paper="515",
    )  # fmt: skip
    yield Number(
        "attempts", "Attempts at test pairs",
        "Test pairs that one person viewed longer than the protocol asks, each counted once for each person.",
        pairs.height, "attempts", paper="13,405",
    )  # fmt: skip
    yield Number(
        "pairs", "Test pairs attempted", "Test pairs with at least one attempt.",
        found.by_pair.height, "test pairs", paper="1,848",
    )  # fmt: skip
    yield Number(
        "tasks", "Tasks attempted", "Tasks that at least one person viewed long enough.",
        found.by_task.height, "tasks",
    )  # fmt: skip


def _tasks_by_pairs(found: TaskTables) -> Iterator[Number]:
    paper = {1: "68 %", 2: "29 %", 3: "3 %", _MOST_PAIRS: "under 1 %"}
    tasks = found.by_task
    for pairs, said in paper.items():
        more = pairs == _MOST_PAIRS
        having = tasks.filter(pl.col("levels") >= pairs if more else pl.col("levels") == pairs).height
        noun = f"{pairs} test pair{'s' if pairs > 1 else ''}" + (" or more" if more else "")
        yield Number(
            f"tasks_with_{pairs}{'_or_more' if more else ''}", f"Tasks with {noun}",
            f"Share of the tasks attempted that have {noun}.",
            _percent(having, tasks.height), "%", tasks.height, "tasks", said,
        )  # fmt: skip


def _times(found: TaskTables) -> Iterator[Number]:
    pairs, tasks = found.pairs, found.tasks.filter("whole")
    solved_pairs, solved_tasks = pairs.filter("completed"), tasks.filter("solved")
    yield Number(
        "median_minutes", "Median time on a test pair",
        "Median over attempts of the time for which the test pair was shown, without pauses.",
        _float(pairs["minutes"].median()), "min", pairs.height, "attempts", "2.3 min",
    )  # fmt: skip
    yield Number(
        "median_solved_minutes", "Median time on a pair solved",
        "The same over the attempts that solved the pair.",
        _float(solved_pairs["minutes"].median()), "min", solved_pairs.height, "attempts",
    )  # fmt: skip
    yield Number(
        "median_task_minutes", "Median time of a task solved",
        "Median over attempts that solved all pairs of their task of the time that the task took.",
        _float(solved_tasks["minutes"].median()), "min", solved_tasks.height, "attempts", "2.2 min",
    )  # fmt: skip
    yield Number(
        "mean_task_minutes", "Mean time of a task solved",
        "The mean of the same times.",
        _float(solved_tasks["minutes"].mean()), "min", solved_tasks.height, "attempts", "2.7 min",
    )  # fmt: skip


def _attempts_solved(found: TaskTables) -> Iterator[Number]:
    pairs, tasks = found.pairs.filter(~IS_CUT_SHORT), found.tasks.filter(~IS_CUT_SHORT)
    solved = int(pairs["completed"].sum())
    partly = tasks.filter(pl.col("solved_pairs") > 0).height
    yield Number(
        "solved", "Attempts that solved the pair",
        "Attempts at test pairs with a right output among the submissions that count, of tasks that the"
        " session's end did not cut short: those neither solved nor failed, and are in no share.",
        solved, "attempts", paper="8,277",
    )  # fmt: skip
    yield Number(
        "solved_percent", "Share of attempts solved", "Attempts that solved the pair, of all attempts.",
        _percent(solved, pairs.height), "%", pairs.height, "attempts", "62 %",
    )  # fmt: skip
    yield Number(
        "fully_percent", "Tasks fully correct",
        "Share of attempts at whole tasks that solved all their pairs.",
        _mean_percent(tasks["solved"]), "%", tasks.height, "attempts at tasks",
    )  # fmt: skip
    yield Number(
        "partly_percent", "Tasks at least partially correct",
        "Share of attempts at whole tasks that solved one or more of their pairs.",
        _percent(partly, tasks.height), "%", tasks.height, "attempts at tasks",
    )  # fmt: skip
    yield Number(
        "gone_back_percent", "Tasks gone back to",
        "Share of attempts at whole tasks that the person set aside and took up again.",
        _percent(found.gone_back, found.tasks.height), "%", found.tasks.height, "attempts at tasks",
        "occasional",
    )  # fmt: skip
    yield Number(
        "partial_percent", "Mean partial credit",
        "Mean over attempts at whole tasks of the share of the task's pairs that they solved.",
        _mean_percent(tasks["partial"]), "%", tasks.height, "attempts at tasks",
    )  # fmt: skip


def _mean_success(found: TaskTables) -> Iterator[Number]:
    pairs, tasks, people = found.by_pair, found.by_task, found.by_person
    of_pairs = people["pair_share"].drop_nulls()
    pairs, tasks = (found.filter(pl.col("people") > 0) for found in (pairs, tasks))
    yield Number(
        "pair_success_percent", "Mean success on a test pair",
        "Mean over test pairs of the share of the people who attempted the pair that solved it.",
        _mean_percent(pairs["share"]), "%", pairs.height, "test pairs", "75 %, of the final tasks",
    )  # fmt: skip
    yield Number(
        "task_success_percent", "Mean success on a task",
        "Mean over tasks of the share of the people who attempted the task that solved all its pairs.",
        _mean_percent(tasks["share"]), "%", tasks.height, "tasks",
    )  # fmt: skip
    yield Number(
        "person_success_percent", "Mean success of a person on tasks",
        "Mean over people of the share of the tasks they attempted that they solved.",
        _mean_percent(people["share"]), "%", people.height, "people", "66 %, of the final tasks",
    )  # fmt: skip
    yield Number(
        "person_pair_percent", "Mean success of a person on pairs",
        "Mean over people of the share of the test pairs they attempted that they solved.",
        _mean_percent(of_pairs), "%", of_pairs.len(), "people",
    )  # fmt: skip


def _speed(found: TaskTables) -> Iterator[Number]:
    speeds, test = found.by_person["speed"].drop_nulls(), found.speed_and_accuracy
    fewest = f"with fewer than {FEWEST_TESTED} people there is none"
    yield Number(
        "median_speed", "Median speed of a person",
        "Median over people of the tasks they solved per minute of their attempts.",
        _float(speeds.median()), "tasks a minute", speeds.len(), "people",
    )  # fmt: skip
    yield Number(
        "speed_and_accuracy", "Speed with accuracy, Spearman's rho",
        f"Rank correlation over people of their speed and their share of tasks solved; {fewest}.",
        test.statistic if test else None, "rho", speeds.len(), "people", "positive",
    )  # fmt: skip
    yield Number(
        "speed_and_accuracy_p", "p-value of this correlation",
        "Chance of a correlation as strong if speed and accuracy had nothing to do with each other.",
        test.p if test else None, "p", speeds.len(), "people",
    )  # fmt: skip


def _selection(found: TaskTables) -> Iterator[Number]:
    tasks, solvers = found.by_task, found.results.protocol.acceptance.solvers
    accepted, fully = int(tasks["accepted"].sum()), tasks.filter(pl.col("solved") >= solvers).height
    people = persons(solvers)
    yield Number(
        "accepted", "Tasks accepted",
        f"Tasks of which at least {people} solved one or more pairs within the tries that count.",
        accepted, "tasks",
    )  # fmt: skip
    yield Number(
        "accepted_percent", "Share of tasks accepted", "Tasks accepted, of the tasks attempted.",
        _percent(accepted, tasks.height), "%", tasks.height, "tasks",
    )  # fmt: skip
    yield Number(
        "solved_by_enough_percent", f"Tasks solved by {people} or more",
        f"Share of the tasks attempted that at least {people} solved with all pairs.",
        _percent(fully, tasks.height), "%", tasks.height, "tasks", "100 %, of the final tasks",
    )  # fmt: skip
    yield Number(
        "ambiguous", "Ambiguous test pairs",
        "Test pairs with a wrong output that two or more people agree on, and as many as solved the pair.",
        found.ambiguous, "test pairs",
    )  # fmt: skip


def _redundant(redundancy: Redundancy) -> Iterator[Number]:
    yield Number(
        "duplicates", "Duplicate tasks",
        "Tasks of the pool that are the same as another one up to colours, rotation and reflection.",
        sum(len(same.codes) for same in redundancy.same), "tasks",
    )  # fmt: skip
    for standing, phrase in (
        (Standing.OPEN, "that await a second person"),
        (Standing.AGREED, "that a second person agreed to"),
        (Standing.LIFTED, "that a second person lifted"),
    ):
        yield Number(
            f"marks_{standing.value}", f"Marks of redundancy, {standing.value}",
            f"Marks {phrase}, between two tasks of the pool.",
            sum(one.marked.standing is standing for one in redundancy.reviewed), "marks",
        )  # fmt: skip


def _percent(part: int, of: int) -> float | None:
    return 100 * part / of if of else None


def _mean_percent(values: pl.Series) -> float | None:
    found = _float(values.mean())
    return None if found is None else 100 * found


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
