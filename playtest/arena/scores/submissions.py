"""Files of programs' answers to static tasks: imported, judged, scored beside people, and removed."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from statistics import fmean

from django.db.models import QuerySet

from engine.errors import TaskError
from engine.tasks.submission import ATTEMPTS, cost_in, judged, names_in, submission_of
from engine.tasks.task import task_of
from engine.texts import TextError, text_of
from playtest.arena.models import ScoredTask, SubmissionFile, SubmissionRemoval
from playtest.arena.runs.keys import SETS
from playtest.arena.scores.boards import check_address, reason
from playtest.insight.scope import EVERYONE
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.play.sessions.reads import COUNTED
from playtest.review.queries.exclusions import exclusions
from playtest.rules.attempt import CUT_SHORT, Outcome
from playtest.rules.inference.shares import Share, share
from playtest.rules.tasks.success import SetScore, TaskScore, set_score, solved_at, task_score
from playtest.studio.models import Environment, ReleaseSet, Version

TRIES = len(ATTEMPTS)
"""The answers to a test input that an official file holds; all count."""
_MOST_COST = 1e9


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


def people_on(versions: Collection[int]) -> dict[int, PeopleOnTask]:
    """People on versions of tasks, by its key: counted attempts, whole and not cut short."""
    excluded = exclusions()
    found: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    judged = EVERYONE.attempts.filter(COUNTED, version__in=versions).exclude(outcome__in=CUT_SHORT)
    columns = ("pk", "session", "version", "outcome", "levels_completed", "version__levels")
    for attempt, session, version, outcome, solved, inputs in judged.order_by("pk").values_list(*columns):
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


def import_submission(
    content: bytes,
    *,
    program: str,
    release_set: str = "",
    cost: float | None = None,
    description: str = "",
    code_url: str = "",
    by: Staff | None = None,
) -> SubmissionFile:
    """Keeps an official file of answers, and judges each against the task's current version.

    It is scored over all tasks of the set, also those that the file leaves out; without `release_set` over
    the set that all its tasks are in. Without `cost` it is what the file says. Refusal: program_missing,
    cost_invalid, code_url_invalid, set_unknown, task_unknown, tasks_in_no_set, sets_mixed, already_imported,
    text_unreadable, and what `engine.tasks.submission.submission_of` raises.
    """
    program, description, code_url = program.strip(), description.strip(), code_url.strip()
    if not program:
        raise Refusal("program_missing", "Give the name of the program that answered.")
    if cost is not None and not 0 <= cost <= _MOST_COST:
        raise Refusal("cost_invalid", "The cost is a number of US dollars from 0 on.")
    check_address(code_url)
    try:
        text = text_of(content)
        names = names_in(text)
        chosen = _set_of(names, release_set)
        versions = _versions_of(chosen)
        tasks = {code: task_of(version.source) for code, version in versions.items()}
        answers = submission_of(text, tasks)
        cost = cost_in(text) if cost is None else cost
    except (TaskError, TextError) as error:
        raise Refusal(error.code, error.message) from error
    with once("already_imported", "This file is or was on the board of this set. A file is scored once."):
        file = SubmissionFile.objects.create(
            program=program,
            description=description,
            code_url=code_url,
            cost=cost,
            release_set=chosen,
            digest=sha256(content).hexdigest(),
            text=text,
            imported_at=now(),
            imported_by=by,
        )
        scored = (
            ScoredTask(file=file, version=version, right=judged(tasks[code], answers.get(code, ())))
            for code, version in versions.items()
        )
        ScoredTask.objects.bulk_create(scored, batch_size=500)
    return file


def remove_submission(file: SubmissionFile, staff: Staff | None, why: str) -> None:
    """Takes a file off its board; it stays stored with the reason. Refusal: why_missing, already_removed."""
    with once("already_removed", "This file has been removed already."):
        SubmissionRemoval.objects.create(file=file, why=reason(why), removed_at=now(), removed_by=staff)


def _set_of(names: Sequence[str], release_set: str) -> str:
    """The set to score over: the given one, or the only one that the named tasks are in."""
    if release_set and release_set not in SETS:
        raise Refusal("set_unknown", f"There is no such set: choose one of {', '.join(SETS)}.")
    known = Environment.objects.tasks().filter(current__isnull=False)
    sets = dict(known.values_list("code", "release_set"))
    if unknown := [name for name in names if name not in sets]:
        raise Refusal("task_unknown", f"There is no task {unknown[0]!r}: import it first.")
    if release_set:
        if others := [name for name in names if sets[name] != release_set]:
            raise Refusal("task_unknown", f"The task {others[0]!r} is not in this set.")
        return release_set
    found = {sets[name] for name in names}
    if ReleaseSet.NONE in found:
        raise Refusal("tasks_in_no_set", "Tasks of this file are in no set: put them into one first.")
    if len(found) > 1:
        raise Refusal("sets_mixed", "Tasks of this file are in several sets: score it over one of them.")
    return found.pop()


def _versions_of(release_set: str) -> dict[str, Version]:
    """The current version of each task of a set, by the task's id."""
    rows = Environment.objects.tasks().filter(release_set=release_set).select_related("current")
    return {one.code: one.current for one in rows.order_by("code") if one.current is not None}
