"""Imports static tasks in the official JSON as immutable versions of environments of their own kind."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from engine.errors import EngineError, TaskError
from engine.tasks.collection import MOST_COLLECTION_BYTES, tasks_by_line, tasks_in
from engine.tasks.task import MOST_TEXT, Task, task_of
from engine.texts import TextError, text_of
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import LONGEST_CODE, ReleaseSet
from playtest.studio.queries.catalogue import equal_elsewhere
from playtest.studio.services.catalogue import make_current, roll_back
from playtest.studio.services.first_frames import drawn_inputs, store_first_frames
from playtest.studio.services.loading import LoadResult, Report

MOST_TASKS = 5_000
SUFFIXES = (".json", ".jsonl")
TUTORIAL = "tutorial.json"
"""The task of the tutorial, whose solution the page knows: it is never imported."""
_CODE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{4,{LONGEST_CODE - 1}}}")
_FRAMES_A_SECOND = 15


def load_tasks(
    place: Path,
    report: Report = lambda done, total, results: None,
    *,
    release_set: ReleaseSet = ReleaseSet.NONE,
    confirmed: Collection[str] | None = (),
) -> list[LoadResult]:
    """Imports the tasks of a file or of a folder with all folders in it; a broken one stops no other.

    A task's id is the name of its file, or its key in a file of many (`engine.tasks.collection`); solutions
    that stand apart are in a file of the same name with "solutions" for "challenges". A known version stays
    as it is, and becomes the current one; one older than the current one "asks" first, unless its id is
    `confirmed` (None: all are). Each is stored as a whole before the next. `release_set` is
    the set of those that did not exist. Raises TaskError folder_missing, too_many_tasks, and what `report`
    raises.
    """
    files = list(files_in(place))
    results: list[LoadResult] = []
    codes: dict[str, Path] = {}
    for done, file in enumerate(files):
        report(done, len(files), results)
        try:
            if len(texts := _texts_in(file)) > MOST_TASKS:
                raise TaskError("too_many_tasks", f"At most {MOST_TASKS:,} tasks are imported at once.")
        except TaskError as error:
            results.append(LoadResult(file.stem, "rejected", f"{error.code}: {error.message}"))
            continue
        for code, text in texts.items():
            try:
                if code in codes:
                    first = codes[code].relative_to(place) if place.is_dir() else file.name
                    raise TaskError("id_taken", f"Two files have this name, {first} came first.")
                codes[code] = file
                may_replace = confirmed is None or code in confirmed
                task = task_of(text)
                results.append(keep_task(code, task, release_set=release_set, may_replace=may_replace))
            except EngineError as error:
                results.append(LoadResult(code, "rejected", f"{error.code}: {error.message}"))
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
    found = sorted(path for path in place.rglob("*.json*", case_sensitive=False) if _is_wanted(path))
    if len(found) > MOST_TASKS:
        raise TaskError("too_many_tasks", f"At most {MOST_TASKS:,} tasks are imported at once.")
    yield from found


def _is_wanted(path: Path) -> bool:
    solutions = _beside(path, "solutions", "challenges")  # are read with the challenges
    return path.suffix.lower() in SUFFIXES and path.is_file() and path.name != TUTORIAL and solutions is None


def _beside(file: Path, word: str, other: str) -> Path | None:
    """The file of this name with another word, if it is there."""
    found = file.with_name(file.name.replace(word, other))
    return found if word in file.name and found.is_file() else None


def _texts_in(file: Path) -> dict[str, str]:
    """The official JSON of each task in a file, by id. Raises TaskError, as `read_task`."""
    text = _text(file, MOST_COLLECTION_BYTES)
    if file.suffix.lower() == ".jsonl":
        return tasks_by_line(text)
    apart = _beside(file, "challenges", "solutions")
    solutions = None if apart is None else _text(apart, MOST_COLLECTION_BYTES)
    return tasks_in(text, solutions) or {file.stem: text}


def read_task(file: Path) -> Task:
    """The task in a file. Raises TaskError: task_unreadable, text_unreadable, and what `task_of` raises."""
    return task_of(_text(file, 2 * MOST_TEXT + 4))


def _text(file: Path, most: int) -> str:
    try:
        with file.open("rb") as opened:
            return text_of(opened.read(most))
    except OSError as error:
        raise TaskError("task_unreadable", f"The file cannot be read: {type(error).__name__}.") from error
    except TextError as error:
        raise TaskError(error.code, error.message) from error


def keep_task(
    code: str, task: Task, *, release_set: ReleaseSet = ReleaseSet.NONE, may_replace: bool = False
) -> LoadResult:
    """Stores a task as the current version of its environment; `may_replace`: also in place of a later one.

    Raises TaskError id_malformed, id_taken, SourceError id_misread.
    """
    if not _CODE.fullmatch(code):
        message = f"{code!r} is no id of a task: give 5 to {LONGEST_CODE} letters, digits, - and _."
        raise TaskError("id_malformed", message)
    with transaction.atomic():
        fields = {"release_set": release_set, "kind": Kind.TASK}
        Environment.objects.get_or_create(code=code, defaults=fields)
        environment = Environment.objects.select_for_update().get(code=code)
        if environment.kind is not Kind.TASK:
            raise TaskError("id_taken", "An interactive environment has this id.")
        before = environment.current
        version = environment.versions.filter(digest=task.digest).first()
        if version is None:
            version = _new_version(environment, task)
            store_first_frames(version, drawn_inputs(task))
        notes = "; ".join(equal_elsewhere(version))
        if version == before:
            return LoadResult(code, "unchanged", notes)
        if not may_replace and (why := roll_back(version, before)):
            return LoadResult(code, "asks", "; ".join(filter(None, [why, notes])))
        make_current(version, title="", note="")
    return LoadResult(code, "imported" if before is None else "new_version", notes)


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
