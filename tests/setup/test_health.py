"""`/healthz` answers 200 only when a participant can be served."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_prepared_installation_is_healthy() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_missing_migration_is_told() -> None:
    MigrationRecorder.Migration.objects.filter(app="play").delete()
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()["code"]) == (503, "migrations_missing")
    assert "manage.py prepare" in answer.json()["message"]


def test_a_journal_that_cannot_be_written_is_told() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE play_entry RENAME TO play_entry_elsewhere")
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()["code"]) == (503, "journal_unwritable")


def test_the_answer_is_never_kept() -> None:
    assert "no-store" in Client().get("/healthz")["Cache-Control"]
