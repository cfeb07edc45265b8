"""What simulated people know of a version: its stored winning recording, or a task's solutions."""

from engine.tasks.task import task_of
from playtest.play.errors import Refusal
from playtest.rehearsal.people import Press, Solutions
from playtest.rehearsal.people.solutions import from_recording
from playtest.rehearsal.people.task_scene import TaskSolutions
from playtest.review.recording_document import winning_document
from playtest.studio.models import Version


def recorded_solutions(version: Version) -> Solutions | TaskSolutions:
    """The solutions of this version's levels; none without a winning recording that can be replayed."""
    if version.is_task:
        return TaskSolutions(version.environment.code, task_of(version.source))
    try:
        document = winning_document(version)
    except Refusal:
        return Solutions(version.environment.code)
    actions = [
        (entry["level"], Press(entry["action"], entry["x"] or 0, entry["y"] or 0))
        for entry in document["entries"][1:]
    ]
    return from_recording(version.environment.code, actions, version.levels)
