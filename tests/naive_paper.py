"""Recomputes the paper's numbers of static tasks from the journal, with lists, loops and no library.

Nothing here uses code of the product but its tables: what it finds is compared with what the product says.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from playtest.play.models import Attempt, Event, Study
from playtest.studio.models import RedundancyAnswer, RedundancyMark
from tests.naive_ranks import spearman
from tests.naive_tasks import Rows, Sat, Tried, middle, sat

type Value = float | int | None
type Given = tuple[Value, int | None]
"""A number and its n, None for a count."""


@dataclass(frozen=True)
class Pair:
    """One person at one test pair, viewed long enough."""

    person: str
    session: int
    task: str
    number: int
    minutes: float
    solved_at: int | None


@dataclass(frozen=True)
class Whole:
    """One person at one task, viewed long enough. `minutes` is None if a part of it is excluded."""

    person: str
    session: int
    task: str
    pairs: int
    solved_pairs: int
    minutes: float | None

    @property
    def solved(self) -> bool:
        return self.solved_pairs == self.pairs


@dataclass(frozen=True)
class Counted:
    """What counts in a study. `cut` has the entry from which on an attempt is excluded, 0 for all of it."""

    study: Study
    cut: Mapping[int, int]
    sessions: Sequence[Sat]

    def judged(self) -> "Counted":
        """Without the attempts that the session's end or staff cut short: they neither solved nor failed."""
        cut = ("session_over", "ended_by_staff")
        return replace(self, sessions=[one for one in self.sessions if one.attempt.outcome not in cut])

    def counts(self, one: Tried) -> bool:
        last = one.acts[-1] if one.acts else one.first_seq
        return last < self.cut.get(one.attempt, last + 1)

    def tried(self) -> list[tuple[Sat, Tried]]:
        return [
            (session, one)
            for session in self.sessions
            for one in session.inputs.values()
            if one.seconds > session.view_seconds and self.counts(one)
        ]

    def pairs(self) -> list[Pair]:
        return [
            Pair(
                one.person, session.attempt.session_id or 0, one.code, one.number, one.seconds / 60,
                one.solved_at(session.tries),
            )
            for session, one in self.tried()
        ]  # fmt: skip

    def tasks(self) -> list[Whole]:
        found = []
        for session in self.sessions:
            whole, attempt = session.attempt.pk not in self.cut, session.attempt
            solved = [one for one in session.inputs.values() if one.solved_at(session.tries)]
            total = len(json.loads(attempt.version.source)["test"])
            minutes = session.seconds / 60 if whole else None
            person, code = attempt.participant.label, attempt.environment.code
            number = attempt.session_id or 0
            found.append(Whole(person, number, code, total, len(solved) if whole else 0, minutes))
        return found


def counted(study: Study, cut: Mapping[int, int]) -> Counted:
    """The attempts of the study that have ended without a fault and were viewed long enough."""
    attempts = Attempt.objects.filter(session__study=study, ended_at__isnull=False).exclude(outcome="fault")
    found = [
        one
        for one in map(without_aside, sat(attempts.filter(environment__kind="task")))
        if one.seconds > one.view_seconds and cut.get(one.attempt.pk) != 0
    ]
    return Counted(study, cut, found)


def without_aside(one: Sat) -> Sat:
    """The session without the time for which the task was set aside, by the events of its attempt."""
    events = Event.objects.filter(attempt=one.attempt, kind__in=("set_aside", "taken_up")).order_by("pk")
    moments = list(events.values_list("server_time", flat=True))
    aside = list(zip(moments[::2], moments[1::2], strict=True))
    for tried in one.inputs.values():
        for start, end in aside:
            parts = [
                part
                for since, until in tried.shown
                for part in ((since, min(until, start)), (max(since, end), until))
                if part[0] < part[1]
            ]
            tried.shown = parts
    stood = sum((end - start).total_seconds() for start, end in aside)
    return Sat(one.attempt, one.inputs, one.tries, one.view_seconds, one.seconds - stood)


def numbers(found: Counted) -> dict[str, Given]:
    """Every number of the page by its name."""
    return {
        **_attempted(found),
        **_solved(found),
        **_means(found),
        **_selected(found),
        **redundant(found.study),
    }


def _attempted(found: Counted) -> dict[str, Given]:
    pairs, tasks = found.pairs(), found.tasks()
    with_pairs = dict[str, int]()
    for one in tasks:
        with_pairs[one.task] = one.pairs
    times = [one.minutes for one in pairs]
    solved_times = [one.minutes for one in pairs if one.solved_at]
    task_times = [one.minutes for one in tasks if one.solved and one.minutes is not None]
    having = {number: sum(each == number for each in with_pairs.values()) for number in (1, 2, 3)}
    many = sum(each > 3 for each in with_pairs.values())
    return {
        "people": (len({one.person for one in pairs}), None),
        "sessions": (len({one.session for one in pairs}), None),
        "attempts": (len(pairs), None),
        "pairs": (len({(one.task, one.number) for one in pairs}), None),
        "tasks": (len(with_pairs), None),
        **{f"tasks_with_{n}": (_percent(k, len(with_pairs)), len(with_pairs)) for n, k in having.items()},
        "tasks_with_4_or_more": (_percent(many, len(with_pairs)), len(with_pairs)),
        "median_minutes": (middle(times), len(times)),
        "median_solved_minutes": (middle(solved_times), len(solved_times)),
        "median_task_minutes": (middle(task_times), len(task_times)),
        "mean_task_minutes": (_mean(task_times), len(task_times)),
    }


def _solved(found: Counted) -> dict[str, Given]:
    pairs, tasks, begun = found.judged().pairs(), found.judged().tasks(), len(found.tasks())
    solved = sum(one.solved_at is not None for one in pairs)
    fully, partly = sum(one.solved for one in tasks), sum(one.solved_pairs > 0 for one in tasks)
    partial = _mean([one.solved_pairs / one.pairs for one in tasks])
    back = {one.attempt.pk for one in found.sessions} & set(
        Event.objects.filter(kind="taken_up").values_list("attempt", flat=True)
    )
    return {
        "gone_back_percent": (_percent(len(back), begun), begun),
        "solved": (solved, None),
        "solved_percent": (_percent(solved, len(pairs)), len(pairs)),
        "fully_percent": (_percent(fully, len(tasks)), len(tasks)),
        "partly_percent": (_percent(partly, len(tasks)), len(tasks)),
        "partial_percent": (None if partial is None else 100 * partial, len(tasks)),
    }


def _means(found: Counted) -> dict[str, Given]:
    by_pair, by_task, people, of_pairs = shares(found)
    fast = [(one.speed, one.share) for one in persons(found) if one.speed is not None]
    test = spearman(fast)
    return {
        "pair_success_percent": _mean_share(by_pair),
        "task_success_percent": _mean_share(by_task),
        "person_success_percent": _mean_share(people),
        "person_pair_percent": _mean_share(of_pairs),
        "median_speed": (middle([speed for speed, _ in fast]), len(fast)),
        "speed_and_accuracy": (test[0] if test else None, len(fast)),
        "speed_and_accuracy_p": (test[1] if test else None, len(fast)),
    }


def shares(found: Counted) -> tuple[dict[Any, list[bool]], ...]:
    """Whether each judged attempt solved it: by pair, by task, of tasks by person, of pairs by person."""
    by_pair: dict[Any, list[bool]] = {}
    by_task: dict[Any, list[bool]] = {}
    people: dict[Any, list[bool]] = {}
    of_pairs: dict[Any, list[bool]] = {}
    for one in found.judged().pairs():
        solved = one.solved_at is not None
        by_pair.setdefault((one.task, one.number), []).append(solved)
        of_pairs.setdefault(one.person, []).append(solved)
    for each in found.judged().tasks():
        by_task.setdefault(each.task, []).append(each.solved)
        people.setdefault(each.person, []).append(each.solved)
    return by_pair, by_task, people, of_pairs


@dataclass(frozen=True)
class Person:
    """How one person did: the share of their tasks solved, and tasks solved per minute, None without time."""

    label: str
    share: float
    speed: float | None


def persons(found: Counted) -> list[Person]:
    tasks, made = found.judged().tasks(), []
    for label in sorted({one.person for one in tasks}):
        own = [one for one in tasks if one.person == label]
        solved = sum(one.solved for one in own)
        minutes = sum(one.minutes for one in own if one.minutes is not None)
        made.append(Person(label, solved / len(own), solved / minutes if minutes else None))
    return made


def _selected(found: Counted) -> dict[str, Given]:
    tasks, asked = found.tasks(), found.study.protocol.acceptance.solvers
    codes = {one.task for one in tasks}
    partly = {code: sum(one.solved_pairs > 0 for one in tasks if one.task == code) for code in codes}
    fully = {code: sum(one.solved for one in tasks if one.task == code) for code in codes}
    accepted = sum(count >= asked for count in partly.values())
    enough = sum(count >= asked for count in fully.values())
    return {
        "accepted": (accepted, None),
        "accepted_percent": (_percent(accepted, len(codes)), len(codes)),
        "solved_by_enough_percent": (_percent(enough, len(codes)), len(codes)),
        "ambiguous": (len(ambiguous(found)), None),
    }


def ambiguous(found: Counted) -> set[tuple[str, int]]:
    """Pairs with a wrong output of two or more people, and of as many as solved the pair."""
    wrong: dict[tuple[str, int], dict[str, set[str]]] = {}
    solvers: dict[tuple[str, int], set[str]] = {}
    for session, one in found.tried():
        key = (one.code, one.number)
        if one.solved_at(session.tries):
            solvers.setdefault(key, set()).add(one.person)
        for seq, grid, right in one.submitted:
            if not right and seq < found.cut.get(one.attempt, seq + 1):
                wrong.setdefault(key, {}).setdefault(str(grid), set()).add(one.person)
    return {
        key
        for key, grids in wrong.items()
        if max(map(len, grids.values())) >= max(2, len(solvers.get(key, ())))
    }


def redundant(study: Study) -> dict[str, Given]:
    """Duplicates and marks among the tasks of the pool."""
    tasks = list(study.pool.filter(kind="task").select_related("current"))
    pairs = {one.pk: _grids(one.current.source) for one in tasks if one.current}
    same = {
        one for one in pairs if any(one != other and same_task(pairs[one], pairs[other]) for other in pairs)
    }
    standing = {"open": 0, "agreed": 0, "lifted": 0}
    for mark in RedundancyMark.objects.filter(first__in=tasks, second__in=tasks):
        said = list(RedundancyAnswer.objects.filter(mark=mark).values_list("agrees", flat=True))
        standing["lifted" if False in said else "agreed" if said else "open"] += 1
    return {"duplicates": (len(same), None), **{f"marks_{name}": (n, None) for name, n in standing.items()}}


def _grids(source: str) -> list[tuple[Rows, Rows]]:
    document = json.loads(source)
    return [(pair["input"], pair["output"]) for pair in [*document["train"], *document["test"]]]


def same_task(one: list[tuple[Rows, Rows]], other: list[tuple[Rows, Rows]]) -> bool:
    """Whether any move, order of pairs and exchange of colours makes the one the other: all are tried."""
    if len(one) != len(other):
        return False
    for flips in (0, 1):
        for turns in range(4):
            moved = [tuple(_moved(grid, flips, turns) for grid in pair) for pair in other]
            for order in permutations(moved):
                grids = [grid for pair in one for grid in pair], [grid for pair in order for grid in pair]
                if [_size(grid) for grid in grids[0]] != [_size(grid) for grid in grids[1]]:
                    continue
                cells = [[cell for grid in side for line in grid for cell in line] for side in grids]
                exchanged = set(zip(*cells, strict=True))
                if len(exchanged) == len(set(cells[0])) == len(set(cells[1])):
                    return True
    return False


def _moved(grid: Rows, flips: int, turns: int) -> Rows:
    for _ in range(flips):
        grid = [list(reversed(line)) for line in grid]
    for _ in range(turns):
        grid = [[grid[-1 - y][x] for y in range(len(grid))] for x in range(len(grid[0]))]
    return grid


def _size(grid: Rows) -> tuple[int, int]:
    return len(grid), len(grid[0])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _percent(part: int, of: int) -> float | None:
    return 100 * part / of if of else None


def _mean_share(groups: Mapping[Any, Sequence[bool]]) -> Given:
    means = [sum(group) / len(group) for group in groups.values()]
    return (100 * sum(means) / len(means) if means else None), len(means)
