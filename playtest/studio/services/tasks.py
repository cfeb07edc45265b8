"""Imports static tasks in the official JSON as immutable versions of environments of their own kind."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from engine.errors import TaskError
from engine.tasks.task import MOST_TEXT, Task, task_of
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import LONGEST_CODE, ReleaseSet
from playtest.studio.services.catalogue import make_current
from playtest.studio.services.first_frames import drawn_inputs, store_first_frames
from playtest.studio.services.loading import LoadResult, Report

MOST_TASKS = 5_000
TUTORIAL = "tutorial.json"
"""The task of the tutorial, whose solution the page knows: it is never imported."""
_CODE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{4,{LONGEST_CODE - 1}}}")
_FRAMES_A_SECOND = 15


def load_tasks(
    place: Path,
    report: Report = lambda done, total, results: None,
    *,
    release_set: ReleaseSet = ReleaseSet.NONE,
) -> list[LoadResult]:
    """Imports the tasks of a file or of a folder with all folders in it; a broken one stops no other.

    A task's id is the name of its file. A known version stays as it is, and becomes the current one.
    Each is stored as a whole before the next. `release_set` is
    the set of those that did not exist. Raises TaskError folder_missing, too_many_tasks, and what `report`
    raises.
    """
    files = list(files_in(place))
    results: list[LoadResult] = []
    codes: dict[str, Path] = {}
    for done, file in enumerate(files):
        report(done, len(files), results)
        try:
            if file.stem in codes:
                first = codes[file.stem].relative_to(place) if place.is_dir() else file.name
                raise TaskError("id_taken", f"Two files have this name, {first} came first.")
            codes[file.stem] = file
            results.append(keep_task(file.stem, read_task(file), release_set=release_set))
        except TaskError as error:
            results.append(LoadResult(file.stem, "rejected", f"{error.code}: {error.message}"))
    report(len(files), len(files), results)
    return results


def files_in(place: Path) -> Iterator[Path]:
    """The JSON files of a folder and all folders in it, in order, or the file itself.

    Raises TaskError folder_missing, too_many_tasks.
    """
    if place.is_file():
        yield place
        return
    if not place.is_dir():
        raise TaskError("folder_missing", f"There is no file or folder {place}.")
    found = sorted(path for path in place.rglob("*.json") if path.is_file() and path.name != TUTORIAL)
    if len(found) > MOST_TASKS:
        raise TaskError("too_many_tasks", f"At most {MOST_TASKS:,} tasks are imported at once.")
    yield from found


def read_task(file: Path) -> Task:
    """The task in a file. Raises TaskError: task_unreadable, and what `task_of` raises."""
    try:
        with file.open(encoding="utf-8") as opened:
            return task_of(opened.read(MOST_TEXT + 1))
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError("task_unreadable", f"The file cannot be read: {type(error).__name__}.") from error


def keep_task(code: str, task: Task, *, release_set: ReleaseSet = ReleaseSet.NONE) -> LoadResult:
    """Stores a task as the current version of its environment. Raises TaskError id_malformed, id_taken."""
    if not _CODE.fullmatch(code):
        message = f"{code!r} is no id of a task: give 5 to {LONGEST_CODE} letters, digits, - and _."
        raise TaskError("id_malformed", message)
    with transaction.atomic():
        fields = {"release_set": release_set, "kind": Kind.TASK}
        Environment.objects.get_or_create(code=code, defaults=fields)
        environment = Environment.objects.select_for_update().get(code=code)
        if environment.kind is not Kind.TASK:
            raise TaskError("id_taken", "An interactive environment has this id.")
        before = environment.current_id
        version = environment.versions.filter(digest=task.digest).first()
        if version is None:
            version = _new_version(environment, task)
            store_first_frames(version, drawn_inputs(task))
        if version.pk == before:
            return LoadResult(code, "unchanged")
        make_current(version, title="", note="")
    return LoadResult(code, "imported" if before is None else "new_version")


def _new_version(environment: Environment, task: Task) -> Version:
    return Version.objects.create(
        environment=environment,
        digest=task.digest,
        game_id=f"{environment.code}-{task.digest[:8]}",
        class_name="",
        source=task.text,
        metadata={"demonstrations": len(task.demonstrations)},
        default_fps=_FRAMES_A_SECOND,
        levels=len(task.tests),
        available_actions=[],
        imported_at=timezone.now(),
    )
