"""Fills a database with a study as large as the report's: people, attempts and journals.

Entries are synthetic but consistent: seqs, levels, states, no-ops, resets and times as people leave them, on
the source of a test environment. Frames can be decoded; they show noise.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import batched

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from engine.play.frames import encode, keyframe
from playtest.people.models import Participant, Survey
from playtest.play.journal.triggers import remove_triggers, set_triggers
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.studies import create_study, freeze_protocol
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import Stage
from playtest.rules.survey_questions import QUESTIONS
from playtest.studio.models import Environment, Version
from tests import make

PEOPLE, ENVIRONMENTS, ATTEMPTS, STATIONS = 486, 414, 2_893, 34
SECONDS_AN_ACTION = 0.14
BEGAN = datetime(2026, 2, 2, 9, tzinfo=UTC)

COLUMNS = (
    "attempt_id", "seq", "action", "x", "y", "level", "levels_completed", "level_completed", "state",
    "available", "changed", "state_hash", "frame_count", "frames", "input_kind", "server_time", "client_time",
    "previous_paint_ms", "chain",
)  # fmt: skip

_CHAIN = bytes(32)  # no verification would accept it: nothing here is played by an environment

type Row = tuple[object, ...]
type Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Played:
    """One attempt's journal as columns, and when its first frame was shown."""

    attempt: Attempt
    began: datetime
    action: Numbers
    done: Numbers
    completes: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    state: Numbers
    microseconds: Numbers


def generate(entries: int) -> Study:
    """About so many entries. The last people at the stations still play."""
    choice = np.random.default_rng(7)
    remove_triggers(connection)  # tens of millions of rows, each checked, would take most of the time
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
    study, attempts = _people(choice)
    lengths = choice.lognormal(0.0, 0.6, len(attempts))
    lengths = np.maximum(31, lengths * (entries / lengths.sum())).astype(int)
    frames, began = _Frames(choice), BEGAN
    last = {attempt.session_id: attempt for attempt in attempts}
    playing = set(list(last.values())[-STATIONS:])
    for together in batched(zip(attempts, lengths.tolist(), strict=True), STATIONS):
        played = [_play(choice, attempt, length, began) for attempt, length in together]
        with transaction.atomic():
            _insert(_interleaved(played, frames))
        for one in played:
            _close(choice, one, still_open=one.attempt in playing)
        began += timedelta(microseconds=int(max(one.microseconds[-1] for one in played)), minutes=1)
    with transaction.atomic():
        Attempt.objects.bulk_update(attempts, ["first_frame_at", *_ENDING], batch_size=500)
        Session.objects.filter(attempts__ended_at__isnull=True).update(ended_at=None, end_reason="")
    set_triggers(connection)
    return study


_ENDING = ["ended_at", "outcome", "actions", "levels_completed", "last_action_at"]


def _people(choice: np.random.Generator) -> tuple[Study, list[Attempt]]:
    versions = _versions()
    study = create_study(None, name="As in the report", pool=[version.environment for version in versions])
    protocol = freeze_protocol(study)
    people = Participant.objects.bulk_create(
        Participant(label=f"P-{number:05}", created_at=BEGAN) for number in range(PEOPLE)
    )
    surveys = Survey.objects.bulk_create(
        Survey(participant=person, answered_at=BEGAN, answers=_answers(choice)) for person in people
    )  # fmt: skip
    sessions = Session.objects.bulk_create(
        Session(
            study=study, protocol=protocol, participant=person, survey=survey, code_hash=str(number),
            created_at=BEGAN, station=number % STATIONS + 1, checked_in_at=BEGAN, tutorial_done_at=BEGAN,
            ended_at=BEGAN + timedelta(days=1), end_reason=SessionEnd.TIME_OVER,
        ) for number, (person, survey) in enumerate(zip(people, surveys, strict=True))
    )  # fmt: skip
    return study, Attempt.objects.bulk_create(_attempts(sessions, versions))


def _answers(choice: np.random.Generator) -> dict[str, str]:
    return {
        question.name: str(choice.choice([value for value, _ in question.choices])) for question in QUESTIONS
    }


def _attempts(sessions: Sequence[Session], versions: Sequence[Version]) -> Iterator[Attempt]:
    """In turns, as many people at once as there are stations."""
    made = 0
    rounds = -(-ATTEMPTS // PEOPLE)
    for together in batched(enumerate(sessions), STATIONS):
        for number in range(1, rounds + 1):
            for who, session in together:
                if made == ATTEMPTS:
                    return
                version = versions[(who * rounds + number) % len(versions)]
                yield Attempt(
                    session=session, participant_id=session.participant_id, environment=version.environment,
                    version=version, number=number, seed=made, assigned_at=BEGAN,
                    ended_at=BEGAN, outcome=Outcome.GAVE_UP,
                )  # fmt: skip
                made += 1


def _versions() -> list[Version]:
    model = make.environment().current
    assert model is not None
    environments = Environment.objects.bulk_create(
        Environment(code=f"{'abcdefghij'[number // 100]}{number % 100:02}x", stage=Stage.EXTERNAL)
        for number in range(ENVIRONMENTS)
    )
    versions = Version.objects.bulk_create(
        Version(
            environment=environment, digest=f"{number:064x}", game_id=f"{environment.code}-{number:08x}",
            class_name=model.class_name, source=model.source, metadata=model.metadata,
            default_fps=model.default_fps, levels=6 + number % 4, available_actions=[1, 2, 3, 4, 6],
            imported_at=BEGAN,
        ) for number, environment in enumerate(environments)
    )  # fmt: skip
    for environment, version in zip(environments, versions, strict=True):
        environment.current = version
    Environment.objects.bulk_update(environments, ["current"])
    return versions


def _play(choice: np.random.Generator, attempt: Attempt, length: int, began: datetime) -> Played:
    """Entries 0 to `length`."""
    levels = attempt.version.levels
    reaches = min(int(choice.geometric(0.22)) - 1, levels)
    ends = (
        np.sort(choice.choice(np.arange(1, length), reaches, replace=False)) if reaches else np.empty(0, int)
    )
    if reaches == levels:
        ends[-1] = length
    completes = np.zeros(length + 1, bool)
    completes[ends] = True
    done = np.cumsum(completes)
    lost = ~completes & (choice.random(length + 1) < 0.004)
    lost[[0, -1]] = False
    action = choice.choice([1, 2, 3, 4, 6], length + 1)
    action[choice.random(length + 1) < 0.005] = 0
    action[np.flatnonzero(lost[:-1]) + 1] = 0  # a lost level is reset
    lost &= action != 0
    action[completes] = 1
    action[0] = 0
    fresh = choice.random(length + 1) < 0.5
    number = np.cumsum(fresh)
    back = np.maximum(number - choice.integers(0, 40, length + 1), 1)
    state = np.where(action == 0, 0, np.where(fresh, number, back)) + done * 100_000 + lost * 50_000
    pauses = choice.exponential(SECONDS_AN_ACTION * 1e6, length + 1).astype(np.int64) + 1
    pauses[0] = 0
    return Played(attempt, began, action, done, completes, lost, state, np.cumsum(pauses))


class _Frames:
    """Stored frames to choose from: a level's first, and small changes."""

    def __init__(self, choice: np.random.Generator) -> None:
        noise = [choice.integers(0, 16, (64, 64), dtype=np.uint8) for _ in range(20)]
        self.first = [zlib.compress(keyframe(frame), 1) for frame in noise]
        self.changes = [self._change(choice, noise[0]) for _ in range(1_000)]

    def _change(self, choice: np.random.Generator, frame: NDArray[np.uint8]) -> bytes:
        after = frame.copy()
        cells = choice.integers(0, 4096, int(choice.integers(1, 60)))
        after.reshape(-1)[cells] = choice.integers(0, 16, len(cells))
        return zlib.compress(encode([after], frame), 1)


def _interleaved(played: Sequence[Played], frames: _Frames) -> Iterator[Row]:
    """The rows of attempts that are played at the same time, in the order of time."""
    at = np.concatenate([one.microseconds for one in played])
    whose = np.concatenate([np.full(len(one.action), index) for index, one in enumerate(played)])
    order = np.lexsort((whose, at))
    rows = [_rows(one, frames) for one in played]
    for index in whose[order].tolist():
        yield next(rows[index])


def _rows(one: Played, frames: _Frames) -> Iterator[Row]:
    changed = np.diff(one.state, prepend=-1) != 0
    hashes = (
        (one.state + one.attempt.pk * 1_000_003).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    ).tobytes()
    won = one.attempt.version.levels
    columns = zip(
        one.action.tolist(), one.done.tolist(), one.completes.tolist(), one.lost.tolist(), changed.tolist(),
        one.microseconds.tolist(), strict=True,
    )  # fmt: skip
    for seq, (action, done, completes, lost, moved, micro) in enumerate(columns):
        click = action == 6
        entering = not seq or completes
        at = one.began + timedelta(microseconds=micro)
        yield (
            one.attempt.pk, seq, action, seq * 7 % 64 if click else None, seq * 13 % 64 if click else None,
            done + (not completes), done, completes,
            "GAME_OVER" if lost else "WIN" if done == won else "NOT_FINISHED", 0b1011111, moved,
            hashes[8 * seq : 8 * seq + 8], 1,
            frames.first[seq % 20] if entering else frames.changes[seq * 31 % 1_000],
            3 if click else 1, at, at if seq else None, 17 if seq > 1 else None, _CHAIN,
        )  # fmt: skip


def _insert(rows: Iterator[Row]) -> None:
    names = ", ".join(COLUMNS)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY play_entry ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["?"] * len(COLUMNS))
        time, pressed = COLUMNS.index("server_time"), COLUMNS.index("client_time")
        cursor.connection.executemany(
            f"INSERT INTO play_entry ({names}) VALUES ({marks})",
            ((*row[:time], _text(row[time]), _text(row[pressed]), *row[pressed + 1 :]) for row in rows),
        )


def _text(moment: object) -> str | None:
    return None if moment is None else str(moment).removesuffix("+00:00")


def _close(choice: np.random.Generator, one: Played, *, still_open: bool) -> None:
    attempt, last = one.attempt, one.began + timedelta(microseconds=int(one.microseconds[-1]))
    attempt.first_frame_at = one.began
    done = int(one.done[-1])
    if still_open and done < attempt.version.levels:
        attempt.ended_at, attempt.outcome = None, ""
        return
    others = [Outcome.GAVE_UP, Outcome.CONCLUDED, Outcome.TIMED_OUT, Outcome.SESSION_OVER, Outcome.FAULT]
    attempt.ended_at = last + timedelta(seconds=1)
    attempt.outcome = (
        Outcome.COMPLETED
        if done == attempt.version.levels
        else str(choice.choice([outcome.value for outcome in others], p=[0.5, 0.2, 0.1, 0.15, 0.05]))
    )
    attempt.actions, attempt.levels_completed, attempt.last_action_at = len(one.action) - 1, done, last
