"""How entries enter the journal, and how older attempts got their chain."""

from datetime import UTC, datetime
from importlib import import_module
from types import SimpleNamespace

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import connection, transaction
from django.db.migrations import Migration
from django.db.models import signals
from django.db.utils import DatabaseError

from engine.play.frames import deflated
from playtest.people.models import Participant
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.sql import insert_entries
from playtest.play.journal.triggers import set_triggers
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, Session, Study
from playtest.play.sessions.attempts import open_next
from playtest.review.services.verification import verify_one
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Version
from tests import make
from tests.review import tampering

pytestmark = pytest.mark.django_db


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def opened() -> Attempt:
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


def entry(opened: Attempt, seq: int) -> Entry:
    return Entry(
        attempt=opened, seq=seq, action=1, level=1, levels_completed=0, level_completed=False,
        state="NOT_FINISHED", available=3, changed=True, state_hash=b"12345678", frame_count=1,
        frames=deflated(b"frames"), input_kind=1, server_time=NOON, previous_paint_ms=16,
        chain=b"chained".ljust(32),
    )  # fmt: skip


def append(*entries: Entry) -> set[tuple[int, int] | None]:
    return insert_entries(
        connection, [NewEntry(*(getattr(entry, name) for name in NewEntry._fields)) for entry in entries]
    )


def test_a_migration_runs_without_the_triggers_and_sets_them_at_its_end(opened: Attempt) -> None:
    append(entry(opened, 0))
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


def test_a_stored_entry_is_read_unchanged(opened: Attempt) -> None:
    append(entry(opened, 0))
    found = Entry.objects.get()
    assert (found.seq, found.action, found.x, found.state, found.available) == (0, 1, None, "NOT_FINISHED", 3)
    assert (found.level_completed, found.changed, bytes(found.state_hash)) == (False, True, b"12345678")
    assert (found.server_time, found.client_time, found.previous_paint_ms) == (NOON, None, 16)
    assert inflate(found.frames) == b"frames"


def test_a_repeated_number_is_not_stored_and_its_neighbours_are(opened: Attempt) -> None:
    assert append(entry(opened, 0), entry(opened, 1)) == {(opened.pk, 0), (opened.pk, 1)}
    assert append(entry(opened, 1), entry(opened, 2)) == {(opened.pk, 2)}


def test_no_entry_is_added_to_an_ended_or_unknown_attempt(opened: Attempt) -> None:
    Attempt.objects.filter(pk=opened.pk).update(ended_at=NOON, outcome="gave_up")
    assert append(entry(opened, 0)) == set()
    opened.pk += 1000
    assert append(entry(opened, 0)) == set()


def test_a_group_larger_than_one_statement_is_stored_completely(opened: Attempt) -> None:
    assert len(append(*(entry(opened, seq) for seq in range(1_201)))) == 1_201


MIGRATION = import_module("playtest.play.migrations.0003_chain_of_entries")


def unchained() -> tuple[Attempt, Attempt, Attempt]:
    """Writes an ended attempt, an open one and one without entries, all without a chain."""
    study = make.study(people=100)
    ended, still_open = (
        make.play(make.session(study), [4, 4, 4, 2], outcome) for outcome in (Outcome.GAVE_UP, None)
    )
    waiting = open_next(make.session(study))
    assert waiting is not None
    tampering.unprotect()
    Entry.objects.update(chain=b"")
    Attempt.objects.update(seal=None)
    set_triggers(connection)
    return ended, still_open, waiting


def migrate() -> None:
    connection.check_constraints()
    MIGRATION.chain(apps, SimpleNamespace(connection=connection))


def codes(attempt: Attempt) -> list[str]:
    return [found.code for found in async_to_sync(verify_one)(attempt.pk).differences]


def test_attempts_of_older_versions_verify_after_the_migration() -> None:
    attempts = unchained()
    assert codes(attempts[0]) == ["chain_broken", "not_sealed"]
    migrate()
    assert [codes(attempt) for attempt in attempts] == [[], [], []]


def test_damaged_frames_do_not_stop_the_migration() -> None:
    ended, still_open, _ = unchained()
    tampering.flip_byte(ended, 2)
    migrate()
    assert codes(ended) == ["payload_malformed", "chain_broken"]
    assert codes(still_open) == []
