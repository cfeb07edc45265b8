"""What people solved of static tasks: by pair, by task, and per minute (ARC-AGI-2 paper, section 4).

A pair is one test input with its solution. Submissions are given in their order, each as right or wrong.

Wrong outputs of a pair are grouped by identical grid. Where people agree on an output that its author holds
to be wrong, the demonstrations may allow two rules.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from playtest.rules.errors import RuleError


def counts_as_attempt(seconds: float, least_seconds: float) -> bool:
    """Whether a view of `seconds` was an attempt: it took longer than `least_seconds`."""
    return seconds > least_seconds


MOST_SUBMISSIONS = 100
LONGEST_VIEW_SECONDS = 600


@dataclass(frozen=True, slots=True)
class TaskRule:
    """What a study prescribes: how static tasks are played, and which views of one count.

    The first `tries` submissions for each test input count; `most_submissions` are taken and stored.
    `feedback`: each is answered with right or wrong. `going_back`: a task can be set aside and taken up
    again. A view counts as an attempt if it took more than `view_seconds`.

    Raises RuleError task_rule_invalid.
    """

    tries: int = 2
    most_submissions: int = 2
    feedback: bool = True
    going_back: bool = True
    view_seconds: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= self.most_submissions <= MOST_SUBMISSIONS:
            message = f"Give at least one try, and from as many to {MOST_SUBMISSIONS} submissions."
            raise RuleError("task_rule_invalid", message)
        if not 0 <= self.view_seconds <= LONGEST_VIEW_SECONDS:
            message = f"A view counts after 0 to {LONGEST_VIEW_SECONDS} seconds."
            raise RuleError("task_rule_invalid", message)

    def counts(self, seconds: float) -> bool:
        """Whether a view of `seconds` was an attempt."""
        return counts_as_attempt(seconds, self.view_seconds)

    def why_not_counted(self, seconds: float) -> str | None:
        """Say in a sentence why a view is no attempt, or None when it is one."""
        if self.counts(seconds):
            return None
        viewed = f"it was viewed for {seconds:.1f} s"
        return f"Not counted: {viewed} and must be for more than {self.view_seconds} s."


def solved_at(submissions: Sequence[bool], tries: int) -> int | None:
    """Which submission solved the pair, from 1; None if none of the first `tries` is right.

    Raises RuleError tries_not_positive.
    """
    if tries < 1:
        raise RuleError("tries_not_positive", "At least one submission must count.")
    counted = submissions[:tries]
    return counted.index(True) + 1 if True in counted else None


@dataclass(frozen=True, slots=True)
class TaskScore:
    """How many of a task's pairs one person solved, or one program."""

    solved: int
    pairs: int

    @property
    def complete(self) -> bool:
        """Whether the task is solved: all its pairs are."""
        return self.solved == self.pairs

    @property
    def partial(self) -> Fraction:
        """Partial credit, 0..1: the share of pairs solved."""
        return Fraction(self.solved, self.pairs)


def task_score(pairs: Sequence[Sequence[bool]], tries: int) -> TaskScore:
    """The score from the submissions for each pair of the task, also those without one.

    Raises RuleError task_without_pairs, tries_not_positive.
    """
    if not pairs:
        raise RuleError("task_without_pairs", "A task has at least one test pair.")
    return TaskScore(sum(solved_at(each, tries) is not None for each in pairs), len(pairs))


@dataclass(frozen=True, slots=True)
class SetScore:
    """A score over a set of tasks: of tasks and of pairs, those solved, and the mean partial credit."""

    tasks: int
    solved_tasks: int
    pairs: int
    solved_pairs: int
    partial: Fraction


def set_score(scores: Collection[TaskScore]) -> SetScore:
    """The score over all tasks of a set, also those without an answer. Raises RuleError set_without_tasks."""
    if not scores:
        raise RuleError("set_without_tasks", "A set that is scored has at least one task.")
    return SetScore(
        tasks=len(scores), solved_tasks=sum(each.complete for each in scores),
        pairs=sum(each.pairs for each in scores), solved_pairs=sum(each.solved for each in scores),
        partial=sum((each.partial for each in scores), Fraction()) / len(scores),
    )  # fmt: skip


FEWEST_AGREEING = 2
"""So many people with the same wrong output are no chance: a grid has more outputs than people ever try."""


@dataclass(frozen=True, slots=True)
class WrongOutput[Where: Hashable]:
    """One wrong grid: where it was submitted, in order, and by how many different people."""

    grid: tuple[tuple[int, ...], ...]
    people: int
    submitted: tuple[Where, ...]


def grouped[Where: Hashable](
    submissions: Iterable[tuple[Hashable, Sequence[Sequence[int]], Where]],
) -> list[WrongOutput[Where]]:
    """Groups wrong submissions, each with its person, its grid, and where it is found.

    The grid of most people comes first; of equal ones, that which was submitted more often, then the first
    one. A person who submits a grid twice is one person.
    """
    people: dict[tuple[tuple[int, ...], ...], set[Hashable]] = {}
    places: dict[tuple[tuple[int, ...], ...], list[Where]] = {}
    for person, rows, where in submissions:
        grid = tuple(tuple(row) for row in rows)
        people.setdefault(grid, set()).add(person)
        places.setdefault(grid, []).append(where)
    found = [WrongOutput(grid, len(people[grid]), tuple(places[grid])) for grid in places]
    return sorted(found, key=lambda each: (-each.people, -len(each.submitted)))


def ambiguous[Where: Hashable](wrong: Sequence[WrongOutput[Where]], solvers: int) -> bool:
    """Whether a pair may have two answers: a wrong output convinced as many people as the right one.

    At least `FEWEST_AGREEING` people submitted it, and at least as many as the `solvers` of the pair.
    """
    return any(each.people >= max(FEWEST_AGREEING, solvers) for each in wrong)
