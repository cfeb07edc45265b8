"""A study of three small tasks that people solve in every way, for tests of pages and numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.make_tasks import SUBMIT, Timed, play_task, small_task, submitted

RIGHT: Mapping[str, Sequence[Sequence[Sequence[int]]]] = {
    "pairs-1": [[[1, 2], [3, 4]]],
    "pairs-2": [[[5]], [[0, 6]]],
    "pairs-3": [[[7, 7, 7]]],
}
WRONG = [[4, 3], [2, 1]]
"""What people agree on at pairs-1."""
SECOND: dict[str, Any] = {"op": "open", "input": 2}


def _timed(seconds: float, edits: Sequence[Mapping[str, Any]]) -> list[Timed]:
    return [(seconds, edit) for edit in edits]


def people() -> list[dict[str, Sequence[Timed]]]:
    """What each person does at each task."""
    one, two, three = RIGHT["pairs-1"], RIGHT["pairs-2"], RIGHT["pairs-3"]
    wrong = submitted(WRONG)
    return [
        {  # solves everything at once
            "pairs-1": _timed(3, submitted(one[0])),
            "pairs-2": [*_timed(2, submitted(two[0])), *_timed(4, submitted(two[1]))],
            "pairs-3": _timed(1.5, submitted(three[0])),
        },
        {  # the second try, one of two pairs, a short view
            "pairs-1": [*_timed(5, wrong), *_timed(2, submitted(one[0]))],
            "pairs-2": [*_timed(2, submitted(two[0])), *_timed(6, [SUBMIT, SUBMIT])],
            "pairs-3": [],
        },
        {  # the agreed wrong output twice, the second pair first, tries used up
            "pairs-1": [*_timed(4, wrong), (30, SUBMIT)],
            "pairs-2": [(3, SECOND), *_timed(2, submitted(two[1])), *_timed(2, submitted([[9]]))],
            "pairs-3": _timed(40, [SUBMIT, *submitted([[7, 7]])]),
        },
        {  # the agreed wrong output and gives up; only looks; draws and does not submit
            "pairs-1": _timed(7, wrong),
            "pairs-2": [(20, SECOND), (20, {"op": "undo"})],
            "pairs-3": _timed(2, submitted(three[0])[:-1]),
        },
    ]


def study_of_tasks(**changes: Any) -> Study:
    """The study, played by everybody in sessions of their own."""
    pool = [small_task(code, *solutions) for code, solutions in RIGHT.items()]
    campaign = make.study(pool=pool, name="Static tasks", **changes)
    for each in people():
        session = make.session(campaign)
        for _ in pool:
            play_task(session, each, Outcome.GAVE_UP, seconds_after=2)
    return campaign
