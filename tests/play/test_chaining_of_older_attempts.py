"""The migration chains and seals attempts without a chain, damaged frames included."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import connection

from playtest.play.journal.triggers import set_triggers
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.attempts import open_next
from playtest.review.services.verification import verify_one
from playtest.rules.attempt import Outcome
from tests import make
from tests.review import tampering

pytestmark = pytest.mark.django_db

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
