"""An attempt at a static task that a replay can be tested with."""

from typing import Any

from playtest.play.models import Attempt
from tests import make
from tests.make_tasks import SUBMIT, play_task, small_task, submitted

FIRST, SECOND = [[1, 2], [3, 0]], [[4, 4, 4]]
EDITS: list[Any] = [
    {"op": "paint", "colour": 2, "cells": [0, 1, 30]},
    SUBMIT,
    {"op": "open", "input": 2},
    {"op": "copy_input"},
    {"op": "open", "input": 1},
    *submitted(FIRST),
    *submitted([[4, 4, 5]]),
]
"""Wrong for the first test input, the second one opened and left, the first solved, wrong for the second."""


def task_attempt(**changes: Any) -> Attempt:
    """An attempt with these edits, two seconds each, which was then given up."""
    campaign = make.study(pool=[small_task("abcde", FIRST, SECOND)], **changes)
    return play_task(make.session(campaign), EDITS)
