"""Recomputes figures about static tasks from rows of the journal, with lists and loops.

Nothing here uses code of the product but its tables: what it finds is compared with what the product says.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from playtest.play.models import Attempt, Entry

type Rows = list[list[int]]


@dataclass
class Tried:
    """One person at one test input: what they submitted, whether it was right, and when."""

    attempt: int
    person: str
    code: str
    number: int
    grid: Rows = field(default_factory=lambda: [[0] * 3 for _ in range(3)])
    before: list[Rows] = field(default_factory=list)
    undone: list[Rows] = field(default_factory=list)
    submitted: list[tuple[int, Rows, bool]] = field(default_factory=list)
    acts: list[int] = field(default_factory=list)
    idle_acts: int = 0
    shown: list[tuple[datetime, datetime]] = field(default_factory=list)
    first_seq: int = -1
    first_shown: datetime | None = None
    last_act: datetime | None = None
    solved_by: int | None = None
    to_first: tuple[int, float] | None = None
    """Edits before the first submission, and the seconds for which the input had been shown by then."""

    @property
    def seconds(self) -> float:
        return sum(max((end - start).total_seconds(), 0.0) for start, end in self.shown)

    def solved_at(self, tries: int) -> int | None:
        for place, (_, _, right) in enumerate(self.submitted[:tries], start=1):
            if right:
                return place
        return None


@dataclass(frozen=True)
class Sat:
    """One attempt: its test inputs that were shown, by number."""

    attempt: Attempt
    inputs: dict[int, Tried]
    tries: int
    view_seconds: int
    seconds: float

    @property
    def solved(self) -> bool:
        total = len(json.loads(self.attempt.version.source)["test"])
        solved = [one for one in self.inputs.values() if one.solved_at(self.tries)]
        return len(solved) == total


def sat(attempts: Any) -> list[Sat]:
    """What each of these attempts shows, replayed edit by edit."""
    found = attempts.select_related("version", "participant", "environment", "session__protocol")
    return [_replayed(attempt) for attempt in found.order_by("pk")]


def _replayed(attempt: Attempt) -> Sat:
    document = json.loads(attempt.version.source)
    assert attempt.session is not None
    assert attempt.session.protocol is not None
    asked: Mapping[str, Any] = attempt.session.protocol.document.get("tasks") or {}
    tries, most = asked.get("tries", 2), asked.get("most_submissions", 2)
    feedback, view_seconds = asked.get("feedback", True), asked.get("view_seconds", 5)
    inputs = [
        Tried(attempt.pk, attempt.participant.label, attempt.environment.code, number)
        for number in range(1, len(document["test"]) + 1)
    ]
    rows = list(Entry.objects.filter(attempt=attempt).order_by("seq").values("seq", "edit", "server_time"))
    opened = 0
    inputs[0].first_seq, inputs[0].first_shown = 0, rows[0]["server_time"]
    for earlier, row in pairwise(rows):
        one = inputs[opened]
        one.shown.append((earlier["server_time"], row["server_time"]))
        opened = _step(document, inputs, opened, row, (tries, most, feedback))
        if inputs[opened].first_seq < 0:
            inputs[opened].first_seq, inputs[opened].first_shown = row["seq"], row["server_time"]
    all_closed = all(_closed(one, most, feedback) for one in inputs)
    seconds = 0.0
    if attempt.ended_at is not None:
        if not all_closed:
            inputs[opened].shown.append((rows[-1]["server_time"], attempt.ended_at))
        seconds = (attempt.ended_at - rows[0]["server_time"]).total_seconds()
    shown = {one.number: one for one in inputs if one.first_seq >= 0}
    return Sat(attempt, shown, tries, view_seconds, seconds)


def _closed(one: Tried, most: int, feedback: bool) -> bool:
    return len(one.submitted) >= most or (feedback and any(right for _, _, right in one.submitted))


def _step(document: Any, inputs: list[Tried], opened: int, row: Any, asked: tuple[int, int, bool]) -> int:
    """Carries out one edit; the index of the input that is shown after it."""
    edit, one = json.loads(row["edit"]), inputs[opened]
    if edit["op"] == "open":
        return int(edit["input"]) - 1
    one.acts.append(row["seq"])
    one.last_act = row["server_time"]
    if edit["op"] == "submit":
        return _submit(document, inputs, opened, row["seq"], asked)
    old = _copy(one.grid)
    if edit["op"] in ("undo", "redo"):
        taken, given = (one.before, one.undone) if edit["op"] == "undo" else (one.undone, one.before)
        if taken:
            given.append(old)
            one.grid = taken.pop()
    else:
        one.grid = _DRAW[edit["op"]](document, opened, old, edit)
        if one.grid != old:
            one.before.append(old)
            one.undone = []
    one.idle_acts += one.grid == old
    return opened


def _submit(document: Any, inputs: list[Tried], opened: int, seq: int, asked: tuple[int, int, bool]) -> int:
    tries, most, feedback = asked
    one = inputs[opened]
    if one.to_first is None:
        one.to_first = (len(one.acts) - 1, one.seconds)
    right = bool(one.grid == document["test"][opened]["output"])
    one.submitted.append((seq, _copy(one.grid), right))
    if right and len(one.submitted) <= tries and one.solved_by is None:
        one.solved_by = len(one.acts)
    if _closed(one, most, feedback):
        left = [place for place, each in enumerate(inputs) if not _closed(each, most, feedback)]
        later = [place for place in left if place > opened]
        return (later or left or [opened])[0]
    return opened


def _copy(grid: Rows) -> Rows:
    return [list(line) for line in grid]


def _resized(document: Any, opened: int, old: Rows, edit: Any) -> Rows:
    height, width = len(old), len(old[0])
    return [
        [old[y][x] if y < height and x < width else 0 for x in range(edit["width"])]
        for y in range(edit["height"])
    ]


def _painted(document: Any, opened: int, old: Rows, edit: Any) -> Rows:
    new = _copy(old)
    for cell in edit["cells"]:
        if cell // 30 < len(old) and cell % 30 < len(old[0]):
            new[cell // 30][cell % 30] = edit["colour"]
    return new


def _filled(document: Any, opened: int, old: Rows, edit: Any) -> Rows:
    new = _copy(old)
    for y, x in _joined(old, edit["cell"] // 30, edit["cell"] % 30):
        new[y][x] = edit["colour"]
    return new


def _pasted(document: Any, opened: int, old: Rows, edit: Any) -> Rows:
    new, shown = _copy(old), document["train"][edit.get("pair", 1) - 1]
    source = {
        "input": document["test"][opened]["input"],
        "output": old,
        "demo_input": shown["input"],
        "demo_output": shown["output"],
    }[edit["from"]]
    (top, left, high, wide), (to_y, to_x) = edit["rect"], divmod(edit["cell"], 30)
    for dy in range(high):
        for dx in range(wide):
            inside = top + dy < len(source) and left + dx < len(source[0])
            if inside and to_y + dy < len(old) and to_x + dx < len(old[0]):
                new[to_y + dy][to_x + dx] = source[top + dy][left + dx]
    return new


_DRAW: dict[str, Callable[[Any, int, Rows, Any], Rows]] = {
    "resize": _resized,
    "paint": _painted,
    "fill": _filled,
    "paste": _pasted,
    "copy_input": lambda document, opened, old, edit: _copy(document["test"][opened]["input"]),
    "clear": lambda document, opened, old, edit: [[0] * len(old[0]) for _ in old],
}


def _joined(grid: Rows, y: int, x: int) -> Iterator[tuple[int, int]]:
    """The cells of one colour around a cell, found by growing until nothing more joins."""
    found, grew = {(y, x)}, True
    while grew:
        grew = False
        for row, line in enumerate(grid):
            for column, colour in enumerate(line):
                near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
                if (row, column) not in found and colour == grid[y][x] and near & found:
                    found.add((row, column))
                    grew = True
    yield from found


def without_from(sessions: list[Sat], cut: Mapping[int, int]) -> list[Sat]:
    """Without what is excluded from an entry on, by attempt: later submissions, and inputs edited later."""
    return [
        Sat(one.attempt, _before(one, cut[one.attempt.pk]), one.tries, one.view_seconds, one.seconds)
        if one.attempt.pk in cut
        else one
        for one in sessions
    ]


def _before(session: Sat, cut: int) -> dict[int, Tried]:
    shown = session.inputs.items()
    return {number: one for number, one in shown if (one.acts[-1] if one.acts else one.first_seq) < cut}


def middle(values: list[float]) -> float | None:
    """The median, None of nothing."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def pair_page(sessions: list[Sat], number: int, tries: int) -> dict[str, Any]:
    """What the page of a task says of one test pair, from the sessions that count."""
    tried = [one for sat_ in sessions for one in sat_.inputs.values() if one.number == number]
    view_seconds = {sat_.attempt.pk: sat_.view_seconds for sat_ in sessions}
    tried = [one for one in tried if one.seconds > view_seconds[one.attempt]]
    firsts = [one.to_first for one in tried if one.to_first is not None]
    solvers = sum(one.solved_at(tries) is not None for one in tried)
    wrong = _agreed(tried)
    return {
        "people": len(tried),
        "solved": solvers,
        "at": [sum(one.solved_at(tries) == at for one in tried) for at in range(1, tries + 1)],
        "first_edits": middle([edits for edits, _ in firsts]),
        "first_seconds": middle([seconds for _, seconds in firsts]),
        "seconds": middle([one.seconds for one in tried]),
        "wrong": wrong,
        "ambiguous": any(len({who for who, _, _ in places}) >= max(2, solvers) for _, places in wrong),
    }


def _agreed(tried: list[Tried]) -> list[tuple[Rows, list[tuple[str, int, int]]]]:
    """Each wrong grid with who submitted it, as which submission, and at which entry."""
    found: list[tuple[Rows, list[tuple[str, int, int]]]] = []
    for one in tried:
        for place, (seq, rows, right) in enumerate(one.submitted, start=1):
            if right:
                continue
            same = [places for known, places in found if known == rows]
            if not same:
                same = [[]]
                found.append((rows, same[0]))
            same[0].append((one.person, place, seq))
    return found


def sign(one: Tried | None, tries: int) -> str:
    """In words what somebody did at a pair, empty where it was not shown."""
    if one is None:
        return ""
    if at := one.solved_at(tries):
        return f"solved at try {at}"
    if one.submitted:
        return f"{len(one.submitted)} wrong"
    return "nothing submitted" if one.acts else "viewed only"
