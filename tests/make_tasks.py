"""Makes attempts at static tasks with the real services, engine and journal, without a server."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from engine.play.actions import Action
from engine.tasks.edits import Edit, EditKind, edit_of
from engine.tasks.game import TaskGame
from engine.tasks.task import Task, task_of
from playtest.people.models import Staff
from playtest.play.attempt.loaded import LoadedAttempt
from playtest.play.attempt.task_in_process import rule_of, submissions_of
from playtest.play.clock import now
from playtest.play.journal.entries import NewEntry, Provenance, new_entry, start_of
from playtest.play.models import Attempt, Entry, InputKind, Session
from playtest.play.sessions.attempts import end_attempt, open_next, set_first_frame
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from playtest.studio.services.tasks import keep_task, read_task

TASKS = Path(__file__).parents[1] / "games" / "tasks"
ONE_INPUT, TWO_INPUTS = "9b62d0f8", "5e07b3c6"
"""Shipped tasks with this many test inputs."""
SUBMIT: Mapping[str, Any] = {"op": "submit"}

type Grid = Sequence[Sequence[int]]
type Timed = Mapping[str, Any] | tuple[float, Mapping[str, Any]]
"""An edit, or the seconds since the one before it and the edit."""


def task(code: str = ONE_INPUT, text: str | None = None) -> Environment:
    """The task of this id, imported: a shipped one, or that of a text in the official JSON."""
    keep_task(code, read_task(TASKS / f"{code}.json") if text is None else task_of(text))
    return Environment.objects.select_related("current").get(code=code)


def small_task(code: str, *solutions: Grid) -> Environment:
    """A task with these solutions; its one demonstration and its test inputs say nothing about them."""
    pair = {"input": [[1]], "output": [[2]]}
    tests = [{"input": [[number]], "output": solved} for number, solved in enumerate(solutions, start=1)]
    return task(code, json.dumps({"train": [pair], "test": tests}))


def solution(environment: Environment, number: int = 1) -> list[list[int]]:
    """The solution of a test input, from 1."""
    return [list(row) for row in task_in(environment).tests[number - 1].output]


def task_in(environment: Environment) -> Task:
    """The current version's task."""
    assert environment.current is not None
    return task_of(environment.current.source)


def drawn(grid: Grid) -> list[Mapping[str, Any]]:
    """Edits that draw a grid, whatever was there."""
    edits: list[Mapping[str, Any]] = [
        {"op": "resize", "height": len(grid), "width": len(grid[0])},
        {"op": "clear"},
    ]
    for colour in range(1, 10):
        cells = [y * 30 + x for y, row in enumerate(grid) for x, cell in enumerate(row) if cell == colour]
        parts = [cells[start : start + 90] for start in range(0, len(cells), 90)]
        edits += [{"op": "paint", "colour": colour, "cells": part} for part in parts]
    return edits


def submitted(grid: Grid) -> list[Mapping[str, Any]]:
    """Edits that draw a grid and submit it."""
    return [*drawn(grid), SUBMIT]


def solved(environment: Environment) -> list[Mapping[str, Any]]:
    """Edits that solve all test inputs, one after the other."""
    return [
        edit
        for number in range(1, len(task_in(environment).tests) + 1)
        for edit in submitted(solution(environment, number))
    ]


def play_task(
    session: Session,
    edits: Sequence[Timed] | Mapping[str, Sequence[Timed]],
    outcome: Outcome | None = Outcome.GAVE_UP,
    *,
    seconds_an_edit: float = 2,
    seconds_after: float = 1,
    minutes_ago: float = 0,
    **ending: Any,
) -> Attempt:
    """Plays the session's next task with these edits; outcome None leaves it open.

    `edits` may be given for each task, by its code. Edits that close every test input end the attempt as they
    do on the page, whatever `outcome` says. It ends `seconds_after` its last edit.
    """
    attempt = open_next(session)
    assert attempt is not None, "the pool has nothing left for this person"
    edits = edits[attempt.environment.code] if isinstance(edits, Mapping) else edits
    at = now() - timedelta(minutes=minutes_ago)
    return _record(attempt, edits, outcome, at, seconds_an_edit, seconds_after, ending)


def play_task_internally(
    environment: Environment, player: Staff, edits: Sequence[Timed], outcome: Outcome | None = Outcome.GAVE_UP
) -> Attempt:
    """An internal play of a task's current version, two seconds an edit; outcome None leaves it open."""
    assert environment.current is not None
    attempt = begin_internal_play(environment.current, player, 1)
    return _record(attempt, edits, outcome, attempt.assigned_at, 2, 1, {})


def _record(
    attempt: Attempt,
    edits: Sequence[Timed],
    outcome: Outcome | None,
    at: datetime,
    seconds_an_edit: float,
    seconds_after: float,
    ending: Mapping[str, Any],
) -> Attempt:
    game = TaskGame(task_of(attempt.version.source), submissions_of(rule_of(attempt)))
    set_first_frame(attempt.pk, at)
    opening = new_entry(attempt.pk, Action(0), 1, game.turn, at, Provenance(), start_of(attempt))
    entries: list[NewEntry] = [opening]
    for each in edits:
        wait, fields = each if isinstance(each, tuple) else (seconds_an_edit, each)
        at += timedelta(seconds=wait)
        edit = edit_of(fields)
        before, turn = game.turn, game.act(edit)
        provenance = Provenance(_input_kind(edit), at, 17)
        entries.append(new_entry(attempt.pk, edit, before.level, turn, at, provenance, entries[-1].chain))
    Entry.objects.bulk_create(Entry(**entry._asdict()) for entry in entries)
    ended = LoadedAttempt(attempt).ended_by(game.turn) or outcome
    if ended is not None:
        end_attempt(attempt.pk, ended, at + timedelta(seconds=seconds_after), **ending)
    version = attempt.version
    attempt.refresh_from_db()
    attempt.version = version
    return attempt


def _input_kind(edit: Edit) -> InputKind:
    return InputKind.MOUSE if edit.kind is EditKind.PAINT else InputKind.BUTTON
