"""What a simulated person sees of a static task, and what they know of it."""

from collections.abc import Generator
from dataclasses import dataclass

from engine.tasks.grids import Grid
from engine.tasks.task import Task
from playtest.rehearsal.people.steps import Step


@dataclass(frozen=True, slots=True)
class TaskScene:
    """A task after the last edit: `open` is the test input in work, from 0, and `grid` its output grid.

    `submissions` counts those for it; `closed` says of each input whether it takes no more. `seconds` since
    it was first shown; `prompted` while the soft limit's question is on the screen. `may_be_set_aside`: the
    protocol lets people go back, and this one has not come back to it already.
    """

    open: int
    grid: Grid
    submissions: int
    closed: tuple[bool, ...]
    seconds: float = 0.0
    prompted: bool = False
    may_be_set_aside: bool = False

    @property
    def finished(self) -> bool:
        """Whether every test input is closed."""
        return all(self.closed)


@dataclass(frozen=True)
class TaskSolutions:
    """A task with its solutions; `name` seeds how hard it is and which wrong rule people see in it."""

    name: str
    task: Task


type Work = Generator[Step, TaskScene, None]
"""One person on one task: yields steps and receives scenes. It ends when all test inputs are closed."""

type Passage = Generator[Step, TaskScene, TaskScene]
"""A part of the work; returns the last scene."""
