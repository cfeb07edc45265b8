"""Imports files of programs' answers to static tasks, judges each, and removes them from their board."""

from collections.abc import Sequence
from hashlib import sha256

from django.db import IntegrityError, transaction

from engine.errors import TaskError
from engine.tasks.submission import judged, names_in, submission_of
from engine.tasks.task import task_of
from playtest.arena.models import ScoredTask, SubmissionFile, SubmissionRemoval
from playtest.arena.services.boards import check_address
from playtest.arena.services.keys import SETS
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, ReleaseSet, Version

_MOST_COST = 1e9


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
    the set that all its tasks are in. Refusal: program_missing, cost_invalid, code_url_invalid, set_unknown,
    task_unknown, tasks_in_no_set, sets_mixed, already_imported, submission_unreadable, and what
    `engine.tasks.submission.submission_of` raises.
    """
    program, description, code_url = program.strip(), description.strip(), code_url.strip()
    if not program:
        raise Refusal("program_missing", "Give the name of the program that answered.")
    if cost is not None and not 0 <= cost <= _MOST_COST:
        raise Refusal("cost_invalid", "The cost is a number of US dollars from 0 on.")
    check_address(code_url)
    try:
        text = content.decode()
        names = names_in(text)
        chosen = _set_of(names, release_set)
        versions = _versions_of(chosen)
        tasks = {code: task_of(version.source) for code, version in versions.items()}
        answers = submission_of(text, tasks)
    except UnicodeDecodeError as error:
        raise Refusal("submission_unreadable", "The file is no text in UTF-8.") from error
    except TaskError as error:
        raise Refusal(error.code, error.message) from error
    try:
        with transaction.atomic():
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
            ScoredTask.objects.bulk_create(
                (
                    ScoredTask(file=file, version=version, right=judged(tasks[code], answers.get(code, ())))
                    for code, version in versions.items()
                ),
                batch_size=500,
            )
    except IntegrityError as error:
        message = "This file is or was on the board of this set. A file is scored once."
        raise Refusal("already_imported", message) from error
    return file


def remove_submission(file: SubmissionFile, staff: Staff | None, why: str) -> None:
    """Takes a file off its board; it stays stored with the reason. Refusal: why_missing, already_removed."""
    why = why.strip()
    if not why:
        raise Refusal("why_missing", "Give the reason for the removal.")
    try:
        with transaction.atomic():
            SubmissionRemoval.objects.create(file=file, why=why, removed_at=now(), removed_by=staff)
    except IntegrityError as error:
        raise Refusal("already_removed", "This file has been removed already.") from error


def _set_of(names: Sequence[str], release_set: str) -> str:
    """The set to score over: the given one, or the only one that the named tasks are in."""
    if release_set and release_set not in SETS:
        raise Refusal("set_unknown", f"There is no such set: choose one of {', '.join(SETS)}.")
    known = Environment.objects.filter(kind=Kind.TASK, current__isnull=False)
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
    rows = Environment.objects.filter(kind=Kind.TASK, release_set=release_set).select_related("current")
    return {one.code: one.current for one in rows.order_by("code") if one.current is not None}
