"""The board of static tasks: files of programs' answers with their scores, and people on the same tasks."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from django.db.models import QuerySet

from engine.tasks.submission import ATTEMPTS
from playtest.arena.models import ScoredTask, SubmissionFile
from playtest.arena.services.keys import SETS
from playtest.insight.scope import EVERYONE
from playtest.play.sessions.reads import COUNTED
from playtest.review.queries.exclusions import exclusions
from playtest.rules import frontier as rule
from playtest.rules.attempt import Outcome
from playtest.rules.proportions import Share, share
from playtest.rules.tasks.success import SetScore, TaskScore, set_score, solved_at, task_score
from playtest.studio.models import ReleaseSet

TRIES = len(ATTEMPTS)
"""The answers to a test input that an official file holds; all count."""


@dataclass(frozen=True)
class PeopleOnTask:
    """Whose attempts at a version count: how many, how many solved it whole, their mean partial credit."""

    people: int
    solved: int
    partial: float


@dataclass(frozen=True)
class TaskRow:
    """One task of a file: which answer solved each test input, from 1, or None; and the people on it."""

    task: ScoredTask
    solved_at: tuple[int | None, ...]
    score: TaskScore
    people: PeopleOnTask | None

    @property
    def answered(self) -> bool:
        return any(self.task.right)


@dataclass(frozen=True)
class FileStanding:
    """A file with its score over all tasks of its set, and people's over those that people tried.

    `people`: the mean over tasks of the share of people who solved them, 0..1; `on_same` is the share that
    the file solved of those tasks. Both are None where nobody was tested.
    """

    file: SubmissionFile
    score: SetScore
    solved: Share
    answered: int
    tested: int
    people: float | None
    people_partial: float | None
    on_same: float | None

    @property
    def percent(self) -> float:
        """Tasks solved, in percent."""
        return 100 * self.solved.value

    @property
    def pairs_percent(self) -> float:
        return 100 * self.score.solved_pairs / self.score.pairs

    @property
    def partial_percent(self) -> float:
        return 100 * float(self.score.partial)

    @property
    def points(self) -> float | None:
        """The file minus people over the tasks that people tried, in percentage points."""
        return None if self.people is None or self.on_same is None else 100 * (self.on_same - self.people)

    @property
    def cost_a_task(self) -> float | None:
        return None if self.file.cost is None else self.file.cost / self.score.tasks


def files(release_set: str) -> QuerySet[SubmissionFile]:
    """The files on the board of a set, without their text."""
    found = SubmissionFile.objects.filter(release_set=release_set, removal__isnull=True)
    return found.select_related("imported_by").defer("text")


def removed_files(release_set: str) -> QuerySet[SubmissionFile]:
    """The files that left it, the last one first."""
    found = SubmissionFile.objects.filter(release_set=release_set, removal__isnull=False).defer("text")
    return found.select_related("removal").order_by("-removal__removed_at", "-pk")


def counts_by_set() -> dict[ReleaseSet, int]:
    """How many files are on the board of each set."""
    return {ReleaseSet(one): files(one).count() for one in SETS}


def standings(release_set: str) -> list[FileStanding]:
    """The files of a set, the most tasks solved first, then the most partial credit."""
    return sorted(_standings(files(release_set)), key=lambda one: (-one.percent, -one.score.partial))


def standing_of(file: SubmissionFile) -> tuple[FileStanding, list[TaskRow]]:
    """One file, with its tasks by id."""
    rows = _rows([file])[file.pk]
    return _standing(file, rows), rows


def frontier(found: Sequence[FileStanding]) -> list[FileStanding]:
    """Those that no other one beats in tasks solved at the same or a lower cost, the cheapest first."""
    return rule.frontier((one.file.cost, one.percent, one) for one in found if one.file.cost is not None)


def people_on(versions: Collection[int]) -> dict[int, PeopleOnTask]:
    """People on versions of tasks, by its key: counted attempts of which no part is excluded."""
    excluded = exclusions()
    found: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    tested = EVERYONE.attempts.filter(COUNTED, version__in=versions).order_by("pk")
    columns = ("pk", "session", "version", "outcome", "levels_completed", "version__levels")
    for attempt, session, version, outcome, solved, inputs in tested.values_list(*columns):
        if attempt not in excluded.attempts and session not in excluded.sessions:
            found[version].append((outcome == Outcome.COMPLETED, solved / inputs))
    return {
        version: PeopleOnTask(len(each), sum(whole for whole, _ in each), fmean(part for _, part in each))
        for version, each in found.items()
    }


def _standings(found: QuerySet[SubmissionFile]) -> list[FileStanding]:
    listed = list(found)
    rows = _rows(listed)
    return [_standing(file, rows[file.pk]) for file in listed]


def _rows(listed: Sequence[SubmissionFile]) -> Mapping[int, list[TaskRow]]:
    scored = ScoredTask.objects.filter(file__in=[file.pk for file in listed])
    scored = scored.select_related("version__environment").defer("version__source", "version__metadata")
    tasks = list(scored.order_by("version__environment__code"))
    versions = {one.version_id for one in tasks}
    people = people_on(versions)
    found: dict[int, list[TaskRow]] = {file.pk: [] for file in listed}
    for one in tasks:
        found[one.file_id].append(_row(one, people.get(one.version_id)))
    return found


def _row(one: ScoredTask, people: PeopleOnTask | None) -> TaskRow:
    solved = tuple(solved_at(each, TRIES) for each in one.right)
    return TaskRow(one, solved, task_score(one.right, TRIES), people)


def _standing(file: SubmissionFile, rows: Sequence[TaskRow]) -> FileStanding:
    score = set_score([row.score for row in rows])
    both = [(row.score, row.people) for row in rows if row.people is not None]
    return FileStanding(
        file,
        score,
        share(score.solved_tasks, score.tasks),
        sum(row.answered for row in rows),
        len(both),
        fmean(people.solved / people.people for _, people in both) if both else None,
        fmean(people.partial for _, people in both) if both else None,
        float(Fraction(sum(mine.complete for mine, _ in both), len(both))) if both else None,
    )
