"""Draws the first frame of each level of a version once, and keeps it with the version."""

from collections.abc import Mapping

from engine.errors import EngineError
from engine.play.frames import Frame, pack
from engine.tasks.grids import picture
from engine.tasks.task import Task, task_of
from playtest.studio.models import Environment, FirstFrame, Version
from playtest.studio.processes.game import first_frames
from playtest.studio.services.qualifications import source_of


def first_frames_of(version: Version) -> Mapping[int, Frame]:
    """The first frames of a version's levels, by number: each level is started in a confined process.

    Levels that do not start on their own are left out. A static task starts nothing: its test inputs are
    drawn.
    """
    if not version.kind.has_program:
        return drawn_inputs(task_of(version.source))
    try:
        return first_frames(source_of(version), version.levels)
    except EngineError:
        return {}


def drawn_inputs(task: Task) -> Mapping[int, Frame]:
    """The test inputs of a task as frames, by number."""
    return {number: picture(pair.input) for number, pair in enumerate(task.tests, start=1)}


def store_first_frames(version: Version, frames: Mapping[int, Frame]) -> None:
    """Keeps them; what is there stays, since it shows the same source."""
    rows = [FirstFrame(version=version, level=level, frame=pack(frame)) for level, frame in frames.items()]
    FirstFrame.objects.bulk_create(rows, ignore_conflicts=True)


def keep_missing_first_frames() -> int:
    """Draws those of current versions that have none, because they are older; returns of how many."""
    current = Environment.objects.filter(current__isnull=False, current__first_frames=None)
    numbers = list(current.order_by("code").values_list("current", flat=True))
    for number in numbers:
        version = Version.objects.select_related("environment").get(pk=number)
        store_first_frames(version, first_frames_of(version))
    return len(numbers)
