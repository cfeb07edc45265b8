"""How entries enter the journal; what the database refuses is in test_record_is_protected.py."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.migrations import Migration
from django.db.models import signals
from django.db.utils import DatabaseError

from engine.play.frames import deflated
from playtest.people.models import Participant
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.sql import insert_entries
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, Session, Study
from playtest.studio.models import Environment, Version

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt() -> Attempt:
    environment = Environment.objects.create(code="wk01")
    version = Version.objects.create(
        environment=environment, digest="d", game_id="wk01-1", class_name="Wk01", source="", metadata={},
        default_fps=5, levels=6, available_actions=[1], imported_at=NOON,
    )  # fmt: skip
    participant = Participant.objects.create(label="P-1", created_at=NOON)
    study = Study.objects.create(name="Study", created_at=NOON)
    session = Session.objects.create(study=study, participant=participant, code_hash="h", created_at=NOON)
    return Attempt.objects.create(
        session=session, participant=participant, environment=environment, version=version,
        number=1, seed=1, assigned_at=NOON,
    )  # fmt: skip


def entry(attempt: Attempt, seq: int) -> Entry:
    return Entry(
        attempt=attempt, seq=seq, action=1, level=1, levels_completed=0, level_completed=False,
        state="NOT_FINISHED", available=3, changed=True, state_hash=b"12345678", frame_count=1,
        frames=deflated(b"frames"), input_kind=1, server_time=NOON, previous_paint_ms=16,
        chain=b"chained".ljust(32),
    )  # fmt: skip


def append(*entries: Entry) -> set[tuple[int, int] | None]:
    return insert_entries(
        connection, [NewEntry(*(getattr(entry, name) for name in NewEntry._fields)) for entry in entries]
    )


def test_a_migration_runs_without_the_triggers_and_sets_them_at_its_end(attempt: Attempt) -> None:
    append(entry(attempt, 0))
    room, plan = apps.get_app_config("play"), [(Migration("a change", "play"), False)]
    connection.check_constraints()
    signals.pre_migrate.send(room, app_config=room, using="default", plan=plan)
    if connection.vendor == "sqlite":
        Entry.objects.update(action=2)
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE play_attempt RENAME TO rebuilt")
            cursor.execute("ALTER TABLE rebuilt RENAME TO play_attempt")
    signals.post_migrate.send(room, app_config=room, using="default", plan=plan)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Entry.objects.update(action=3)


def test_a_stored_entry_is_read_unchanged(attempt: Attempt) -> None:
    append(entry(attempt, 0))
    found = Entry.objects.get()
    assert (found.seq, found.action, found.x, found.state, found.available) == (0, 1, None, "NOT_FINISHED", 3)
    assert (found.level_completed, found.changed, bytes(found.state_hash)) == (False, True, b"12345678")
    assert (found.server_time, found.client_time, found.previous_paint_ms) == (NOON, None, 16)
    assert inflate(found.frames) == b"frames"


def test_a_repeated_number_is_not_stored_and_its_neighbours_are(attempt: Attempt) -> None:
    assert append(entry(attempt, 0), entry(attempt, 1)) == {(attempt.pk, 0), (attempt.pk, 1)}
    assert append(entry(attempt, 1), entry(attempt, 2)) == {(attempt.pk, 2)}


def test_no_entry_is_added_to_an_ended_or_unknown_attempt(attempt: Attempt) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(ended_at=NOON, outcome="gave_up")
    assert append(entry(attempt, 0)) == set()
    attempt.pk += 1000
    assert append(entry(attempt, 0)) == set()


def test_a_group_larger_than_one_statement_is_stored_completely(attempt: Attempt) -> None:
    assert len(append(*(entry(attempt, seq) for seq in range(1_201)))) == 1_201
