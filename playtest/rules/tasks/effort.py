"""Signs that a person did not try static tasks, as findings for a reviewer. None is about success."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from playtest.rules.effort.evidence import Finding, Rule, Strength
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.tasks.success import counts_as_attempt
from playtest.rules.text import counted, span


@dataclass(frozen=True, slots=True)
class Submitted:
    """One submission of a test input: the number of its entry in the journal, its grid, and the verdict."""

    seq: int
    input: int
    grid: tuple[tuple[int, ...], ...]
    right: bool = False


@dataclass(frozen=True, slots=True)
class TaskView:
    """One uninterrupted view of a task in an attempt: how long it took, its edits and its submissions.

    An attempt has as many as its task was taken up again, and one more.
    """

    attempt: int
    seconds: float
    edits: int
    submissions: tuple[Submitted, ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing was edited or submitted."""
        return not self.edits and not self.submissions


def task_findings(views: Sequence[TaskView], least_seconds: float, limits: Thresholds) -> list[Finding]:
    """The signs in a session's views of tasks, in their order; tasks viewed longer than so count."""
    found = [
        _without_edits(views, least_seconds, limits),
        _repeated(views, limits),
        _empty(views, limits),
        _returns(views, limits),
    ]
    return [each for each in found if each is not None]


def _without_edits(views: Sequence[TaskView], least_seconds: float, limits: Thresholds) -> Finding | None:
    """Finds tasks that were viewed long enough to count, and never edited; of most tasks, it is strong."""
    viewed, edited = defaultdict[int, float](float), set[int]()
    for view in views:
        viewed[view.attempt] += view.seconds
        if not view.idle:
            edited.add(view.attempt)
    seconds = {pk: whole for pk, whole in viewed.items() if counts_as_attempt(whole, least_seconds)}
    left = [attempt for attempt in seconds if attempt not in edited]
    if len(left) < max(1, limits.unedited_tasks):
        return None
    total = round(sum(seconds[attempt] for attempt in left))
    most = len(left) >= limits.random_strong_environments and len(left) > limits.random_strong_share * len(
        seconds
    )
    return Finding(
        Rule.UNEDITED_TASKS,
        Strength.STRONG if most else Strength.REVIEW,
        None,
        {"tasks": len(left), "of": len(seconds), "seconds": total},
        f"{len(left)} of {len(seconds)} tasks were viewed, for {span(total)} in all, and nothing was edited.",
        tuple((attempt, 0) for attempt in left),
    )


def _repeated(views: Sequence[TaskView], limits: Thresholds) -> Finding | None:
    """Finds submissions of a grid that the same test input had been given before."""
    seen = set[tuple[int, int, tuple[tuple[int, ...], ...]]]()
    again, made = list[tuple[int, int]](), 0
    for view in views:
        for each in view.submissions:
            made += 1
            key = (view.attempt, each.input, each.grid)
            if key in seen:
                again.append((view.attempt, each.seq))
            seen.add(key)
    if len(again) < max(1, limits.repeated_submissions):
        return None
    repeated = f"{len(again)} of {counted(made, 'submission')} repeated a grid"
    sentence = f"{repeated} submitted before for the same test input."
    return _about_submissions(Rule.REPEATED_SUBMISSIONS, again, made, sentence)


def _empty(views: Sequence[TaskView], limits: Thresholds) -> Finding | None:
    """Finds submitted grids of colour 0 alone that were wrong."""
    every = [(view.attempt, each) for view in views for each in view.submissions]
    shown = [
        (attempt, each.seq)
        for attempt, each in every
        if not each.right and not any(any(row) for row in each.grid)
    ]
    if len(shown) < max(1, limits.empty_submissions):
        return None
    sentence = f"{len(shown)} of {counted(len(every), 'submitted grid')} had no coloured cell."
    return _about_submissions(Rule.EMPTY_SUBMISSIONS, shown, len(every), sentence)


def _returns(views: Sequence[TaskView], limits: Thresholds) -> Finding | None:
    """Finds returns to tasks that were viewed before, with nothing edited then."""
    returns, seen = list[tuple[int, int]](), set[int]()
    for before, view in pairwise((None, *views)):
        assert view is not None
        elsewhere = before is None or before.attempt != view.attempt
        if elsewhere and view.attempt in seen and view.idle:
            returns.append((view.attempt, 0))
        seen.add(view.attempt)
    if len(returns) < max(1, limits.idle_returns):
        return None
    tasks = len({attempt for attempt, _ in returns})
    return Finding(
        Rule.IDLE_RETURNS,
        Strength.REVIEW,
        None,
        {"returns": len(returns), "tasks": tasks},
        f"{counted(len(returns), 'return')} to {counted(tasks, 'task')} edited nothing.",
        tuple(returns),
    )


def _about_submissions(rule: Rule, shown: list[tuple[int, int]], made: int, sentence: str) -> Finding:
    figures = {"submissions": len(shown), "of": made}
    return Finding(rule, Strength.REVIEW, None, figures, sentence, tuple(shown))
