"""On SQLite the journal stores what people did as soon as another program has written."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.backends.sqlite3.base import DatabaseWrapper

from playtest.play.journal.sql import once_free

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[DatabaseWrapper]:
    options = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
    made = DatabaseWrapper(
        {**settings.DATABASES["default"], "NAME": tmp_path / "db", "OPTIONS": options}, "ours"
    )
    with made.cursor() as cursor:
        cursor.execute("CREATE TABLE turn (seq)")
    yield made
    made.close()


@pytest.fixture
def theirs(ours: DatabaseWrapper) -> Iterator[sqlite3.Connection]:
    """A program that writes."""
    made = sqlite3.connect(ours.settings_dict["NAME"], isolation_level=None)
    made.execute("BEGIN IMMEDIATE")
    yield made
    made.close()


def store(ours: DatabaseWrapper) -> list[int]:
    def write() -> list[int]:
        with ours.wrap_database_errors:
            rows = ours.connection.execute("INSERT INTO turn VALUES (7) RETURNING seq")
            return [seq for (seq,) in rows]

    return once_free(ours, write)


def test_it_looks_again_every_half_millisecond(
    ours: DatabaseWrapper, theirs: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 3:
            theirs.execute("COMMIT")

    monkeypatch.setattr("playtest.play.journal.sql.time.sleep", pause)
    assert store(ours) == [7]
    assert paused == [0.0005] * 3
    assert ours.connection.execute("PRAGMA busy_timeout").fetchone() == (20_000,)


def test_after_the_usual_time_it_gives_up(ours: DatabaseWrapper, theirs: sqlite3.Connection) -> None:
    ours.settings_dict["OPTIONS"]["timeout"] = 0
    with pytest.raises(OperationalError, match="locked"):
        store(ours)
    theirs.execute("COMMIT")
    assert store(ours) == [7]
