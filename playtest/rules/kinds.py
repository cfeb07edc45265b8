"""The two kinds of environment, which share identity, versions, stages, sets, attempts and results."""

from enum import StrEnum


class Kind(StrEnum):
    """What an environment is: a program with levels and frames, or a task with pairs of grids."""

    INTERACTIVE = "interactive"
    TASK = "task"


KIND_LABELS = {Kind.INTERACTIVE: "interactive environment", Kind.TASK: "static task"}
"""The kinds in words."""
