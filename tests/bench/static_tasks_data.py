"""Fills a database with a study of 400 static tasks and as many attempts as the ARC-AGI-2 paper has.

Edits are played by the engine, once for each task and method; the rows of people repeat them at their own
times, with the frames and facts of that turn.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import batched
from typing import NamedTuple

import numpy as np
from django.db import connection, transaction

from engine.actions import Action
from engine.tasks.edits import Edit, edit_of
from engine.tasks.game import TaskGame
from engine.tasks.task import task_of
from engine.turns import WIN, EncodedTurn
from playtest.people.models import Participant, Survey
from playtest.play.attempt.task_in_process import submissions_of
from playtest.play.journal.entries import Provenance, new_entry
from playtest.play.journal.triggers import remove_triggers, set_triggers
from playtest.play.models import Attempt, Entry, Session, SessionEnd, Study
from playtest.play.sessions.studies import create_study, freeze_protocol
from playtest.rules.attempt import Outcome
from playtest.rules.protocol import DEFAULT
from playtest.rules.survey_questions import QUESTIONS
from playtest.studio.models import Environment, Version
from playtest.studio.services.tasks import keep_task
from tests.task_sittings import submitted

PEOPLE, TASKS, PAIR_ATTEMPTS = 407, 400, 13_405
PAIRS = (0.68, 0.29, 0.025, 0.005)
"""The shares of tasks with 1, 2, 3 and 4 test pairs (section 4.3)."""
METHODS = (0.55, 0.12, 0.33)
"""How often a pair is solved at the first try, at the second, and not at all."""
BEGAN = datetime(2026, 2, 2, 9, tzinfo=UTC)
ROWS_AT_ONCE = 2_000


class Step(NamedTuple):
    """A turn of the engine: the edit, the test input in which it was made, and what came of it."""

    edit: Edit
    level: int
    turn: EncodedTurn


def generate() -> Study:
    """The study with everybody's attempts, all of them over."""
    choice = np.random.default_rng(7)
    versions = _versions(choice)
    study = create_study(None, name="As in the paper", pool=[one.environment for one in versions])
    protocol = freeze_protocol(study)
    remove_triggers(connection)  # they check each row of the journal as it comes
    people = Participant.objects.bulk_create(
        Participant(label=f"P-{number:05}", created_at=BEGAN) for number in range(PEOPLE)
    )
    surveys = Survey.objects.bulk_create(
        Survey(participant=person, answered_at=BEGAN, answers=_answers(choice)) for person in people
    )
    sessions = Session.objects.bulk_create(
        Session(
            study=study, protocol=protocol, participant=person, survey=survey, code_hash=str(number),
            created_at=BEGAN, checked_in_at=BEGAN, tutorial_done_at=BEGAN,
            ended_at=BEGAN + timedelta(days=1), end_reason=SessionEnd.TIME_OVER,
        ) for number, (person, survey) in enumerate(zip(people, surveys, strict=True))
    )  # fmt: skip
    attempts = Attempt.objects.bulk_create(_attempts(sessions, versions))
    for together in batched(_played(choice, attempts), ROWS_AT_ONCE):
        with transaction.atomic():
            Entry.objects.bulk_create(together)
    Attempt.objects.bulk_update(
        attempts,
        ["first_frame_at", "ended_at", "outcome", "actions", "levels_completed", "last_action_at"],
        batch_size=500,
    )
    set_triggers(connection)
    return study


def _versions(choice: np.random.Generator) -> list[Version]:
    codes = [f"bench-{number:03}" for number in range(TASKS)]
    for code in codes:
        pairs = 1 + int(choice.choice(4, p=PAIRS))
        train, test = ([_pair(choice) for _ in range(count)] for count in (3, pairs))
        keep_task(code, task_of(json.dumps({"train": train, "test": test})))
    found = Environment.objects.filter(code__in=codes).select_related("current").order_by("code")
    return [one.current for one in found if one.current]


def _pair(choice: np.random.Generator) -> dict[str, list[list[int]]]:
    height, width = choice.integers(8, 20, 2)
    grid = choice.integers(0, 10, (height, width))
    return {"input": grid.tolist(), "output": grid[::-1].tolist()}


def _answers(choice: np.random.Generator) -> dict[str, str]:
    return {one.name: str(choice.choice([value for value, _ in one.choices])) for one in QUESTIONS}


def _attempts(sessions: Sequence[Session], versions: Sequence[Version]) -> Iterator[Attempt]:
    """In turns over the people, until there are enough attempts at pairs."""
    pairs, number = 0, 0
    while pairs < PAIR_ATTEMPTS:
        number += 1
        for place, session in enumerate(sessions):
            version = versions[(place * 31 + number) % len(versions)]
            pairs += version.levels
            yield Attempt(
                session=session, participant_id=session.participant_id, environment_id=version.environment_id,
                version=version, number=number, seed=0, assigned_at=BEGAN, ended_at=BEGAN,
                outcome=Outcome.GAVE_UP,
            )  # fmt: skip


def _played(choice: np.random.Generator, attempts: Sequence[Attempt]) -> Iterator[Entry]:
    for attempt in attempts:
        methods = tuple(int(drawn) for drawn in choice.choice(3, attempt.version.levels, p=METHODS))
        opening, steps = played(attempt.version, methods)
        at = BEGAN + timedelta(minutes=5 * attempt.number)
        attempt.first_frame_at = at
        before = new_entry(attempt.pk, Action(0), 1, opening, at, Provenance(), bytes(32))
        yield Entry(**before._asdict())
        for step in steps:
            at += timedelta(seconds=float(choice.lognormal(2.2, 0.8)))
            entry = new_entry(
                attempt.pk, step.edit, step.level, step.turn, at, Provenance(1, at, 17), before.chain
            )
            yield Entry(**entry._asdict())
            before = entry
        last = steps[-1].turn
        attempt.actions, attempt.levels_completed = len(steps), last.levels_completed
        attempt.ended_at = attempt.last_action_at = at
        attempt.outcome = Outcome.COMPLETED if last.state == WIN else Outcome.TRIES_USED


@cache
def played(version: Version, methods: tuple[int, ...]) -> tuple[EncodedTurn, list[Step]]:
    """The turns at a task with these methods, one for each pair, as indices of METHODS."""
    task = task_of(version.source)
    game = TaskGame(task, submissions_of(DEFAULT.tasks))
    opening, steps = game.turn, []
    for pair, method in zip(task.tests, methods, strict=True):
        right = [list(row) for row in pair.output]
        wrong = [[(right[0][0] + 1) % 10, *right[0][1:]], *right[1:]]
        for grid in ((right,), (wrong, right), (wrong, wrong))[method]:
            for fields in submitted(grid):
                edit, level = edit_of(fields), game.turn.level
                steps.append(Step(edit, level, game.act(edit)))
    return opening, steps
