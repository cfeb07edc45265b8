"""What a simulated person sees, from what the server sent last, and what they know of a version."""

from typing import Literal

from engine.tasks.task import task_of
from playtest.play.errors import Refusal
from playtest.rehearsal.people.steps import UNDO, Press, Scene, Solutions, from_recording
from playtest.rehearsal.people.task_worker import TaskScene, TaskSolutions
from playtest.rehearsal.socket import Connection
from playtest.review.recording_document import winning_document
from playtest.studio.models import Version

STATES: tuple[Literal["NOT_FINISHED", "WIN", "GAME_OVER"], ...] = ("NOT_FINISHED", "WIN", "GAME_OVER")
"""The names of the numbers in a `turn` message."""


def scene_of(connection: Connection, seconds: float) -> Scene:
    """The board after the last turn, `seconds` after the first frame."""
    turn, status = connection.turn, connection.status
    assert turn is not None
    return Scene(
        level=turn.level,
        levels=status["attempt"]["levels"] if status["attempt"] else turn.level,
        available=tuple(action for action in range(1, UNDO + 1) if turn.available >> action & 1),
        state=STATES[turn.state],
        changed=turn.changed,
        seconds=seconds,
        prompted=connection.prompted.is_set(),
    )


def task_scene_of(connection: Connection, seconds: float) -> TaskScene:
    """The task after the last edit, `seconds` after it was first shown."""
    task = connection.task
    current = task["inputs"][task["open"] - 1]
    attempt = connection.status["attempt"]
    return TaskScene(
        open=task["open"] - 1,
        grid=tuple(bytes(row) for row in current["grid"]),
        submissions=len(current["submissions"]),
        closed=tuple(each["closed"] for each in task["inputs"]),
        seconds=seconds,
        prompted=connection.prompted.is_set(),
        may_be_set_aside=attempt is not None and attempt["may_be_set_aside"],
    )


def recorded_solutions(version: Version) -> Solutions | TaskSolutions:
    """The solutions of this version's levels; none without a winning recording that can be replayed."""
    if not version.kind.has_program:
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
