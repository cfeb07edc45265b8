"""What a version holds: the source of a program, or a static task."""

from engine.errors import SourceError, TaskError
from engine.play.source import Source, from_parts
from engine.tasks.task import Task, task_of
from playtest.studio.models import Version


def content_of(version: Version) -> Source | Task:
    """Exactly as it was imported. Raises SourceError metadata_invalid, task_damaged."""
    if version.kind.has_program:
        return from_parts(version.metadata, version.source, version.game_id)
    return task_in(version)


def task_in(version: Version) -> Task:
    """The task of a version that holds one. Raises SourceError task_damaged."""
    try:
        return task_of(version.source)
    except TaskError as error:
        raise SourceError("task_damaged", error.message, file=version.game_id) from error
