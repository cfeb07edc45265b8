"""Signs that a person did not try static tasks, as evidence for a reviewer. None is about success."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from playtest.rules.effort.formatting import counted, span
from playtest.rules.tasks.success import counts_as_attempt

FEWEST_VIEWS = 2
"""So many tasks viewed without an edit are a sign: one alone may have been too hard to begin."""
FEWEST_RETURNS = 3
"""So many returns to a task, none of them with an edit, are a sign: to look again once is to check."""


class TaskSign(StrEnum):
    """A kind of evidence."""

    NO_EDITS = "no_edits"
    IDENTICAL = "identical"
    EMPTY = "empty"
    CYCLING = "cycling"


@dataclass(frozen=True, slots=True)
class Submitted:
    """One submission of a test input: the number of its entry in the journal, and its grid."""

    seq: int
    input: int
    grid: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class TaskView:
    """One uninterrupted view of a task in an attempt: how long it took, its edits and its submissions."""

    attempt: int
    seconds: float
    edits: int
    submissions: tuple[Submitted, ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing was edited or submitted."""
        return not self.edits and not self.submissions


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """What was found: a sentence, and the attempts with the entries that show it (0: the opening)."""

    sign: TaskSign
    sentence: str
    shown: tuple[tuple[int, int], ...]


def evidence(views: Sequence[TaskView], least_seconds: float) -> list[TaskEvidence]:
    """The signs in a session's views of tasks, in their order; longer ones than `least_seconds` count."""
    found = [_without_edits(views, least_seconds), _identical(views), _empty(views), _cycling(views)]
    return [each for each in found if each is not None]


def _without_edits(views: Sequence[TaskView], least_seconds: float) -> TaskEvidence | None:
    """Finds tasks that were viewed long enough to count, and never edited."""
    seconds, edited = Counter[int](), set[int]()
    for view in views:
        if counts_as_attempt(view.seconds, least_seconds):
            seconds[view.attempt] += round(view.seconds)
        if not view.idle:
            edited.add(view.attempt)
    left = [attempt for attempt in seconds if attempt not in edited]
    if len(left) < FEWEST_VIEWS:
        return None
    total = sum(seconds[attempt] for attempt in left)
    return TaskEvidence(
        TaskSign.NO_EDITS,
        f"{len(left)} of {len(seconds)} tasks were viewed, for {span(total)} in all, and nothing was edited.",
        tuple((attempt, 0) for attempt in left),
    )


def _identical(views: Sequence[TaskView]) -> TaskEvidence | None:
    """Finds submissions of a grid that the same test input had been given before."""
    seen = set[tuple[int, int, tuple[tuple[int, ...], ...]]]()
    again = list[tuple[int, int]]()
    for view in views:
        for each in view.submissions:
            key = (view.attempt, each.input, each.grid)
            if key in seen:
                again.append((view.attempt, each.seq))
            seen.add(key)
    if not again:
        return None
    sentence = (
        f"{counted(len(again), 'submission')} repeated a grid submitted before for the same test input."
    )
    return TaskEvidence(TaskSign.IDENTICAL, sentence, tuple(again))


def _empty(views: Sequence[TaskView]) -> TaskEvidence | None:
    """Finds submitted grids of colour 0 alone."""
    shown = [
        (view.attempt, each.seq)
        for view in views
        for each in view.submissions
        if not any(any(row) for row in each.grid)
    ]
    if not shown:
        return None
    sentence = f"{counted(len(shown), 'submitted grid')} had no coloured cell."
    return TaskEvidence(TaskSign.EMPTY, sentence, tuple(shown))


def _cycling(views: Sequence[TaskView]) -> TaskEvidence | None:
    """Finds returns to tasks that were viewed before, with nothing edited then."""
    returns, seen = list[tuple[int, int]](), set[int]()
    for before, view in pairwise((None, *views)):
        assert view is not None
        elsewhere = before is None or before.attempt != view.attempt
        if elsewhere and view.attempt in seen and view.idle:
            returns.append((view.attempt, 0))
        seen.add(view.attempt)
    if len(returns) < FEWEST_RETURNS:
        return None
    tasks = len({attempt for attempt, _ in returns})
    sentence = f"{counted(len(returns), 'return')} to {counted(tasks, 'task')} edited nothing."
    return TaskEvidence(TaskSign.CYCLING, sentence, tuple(returns))
