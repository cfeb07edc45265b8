"""The database refuses changes of the record by plain SQL, by REPLACE, upsert or TRUNCATE."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from playtest.people.append_only import protected
from playtest.people.models import Withdrawal
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.journal import triggers
from playtest.play.models import Attempt, Entry, SignedDay
from playtest.play.sessions.attempts import end_attempt, open_next, set_first_frame
from playtest.rules.attempt import Outcome
from tests import make
from tests.whole_record import recorded

pytestmark = pytest.mark.django_db

# A column to change and what to, in every protected table, and its unique keys beside the primary one.
TABLES: dict[str, tuple[str, Any, list[tuple[str, ...]]]] = {
    "play_entry": ("action", 2, [("attempt_id", "seq")]),
    "play_event": ("kind", "x", []),
    "play_agentnote": ("reasoning", "x", [("attempt_id", "seq")]),
    "play_attempt": ("seed", 7, [("participant_id", "environment_id"), ("session_id", "number")]),
    "center_void": ("reason", "other", []),
    "center_voidreversal": ("text", "x", [("void_id",)]),
    "play_signedday": ("document", "{}", [("day",)]),
    "insight_release": ("people", 99, [("environment_id", "number")]),
    "insight_preregistration": ("digest", "x", [("study_id", "number")]),
    "insight_registrylink": ("address", "x", []),
    "insight_reportanswer": ("text", "x", [("study_id", "item", "version")]),
    "insight_releasedreport": ("digest", "x", [("release_id", "study_id")]),
    "insight_releaseinput": ("actions", 99, [("release_id", "attempt_id", "level")]),
    "studio_stagemove": ("words", "x", []),
    "studio_gatewaiver": ("reason", "x", []),
    "studio_recordingchange": ("reason", "x", []),
    "studio_sighting": ("name", "x", [("environment_id", "staff_id", "kind", "day")]),
    "play_protocolversion": ("reason", "x", [("study_id", "number")]),
    "play_session": ("study_id", 4242, [("code_hash",)]),
    "center_payaccount": ("study_id", 4242, []),
    "center_paidsession": ("session_id", 4242, [("account_id",)]),
    "center_payline": ("amount", 9, []),
    "center_adjustment": ("amount", 9, []),
    "center_adjustmentdecision": ("approved", False, [("adjustment_id",)]),
    "center_paybatch": ("total", 9, []),
    "center_paymentnote": ("text", "x", [("line_id",)]),
    "center_receipt": ("total", 9, [("account_id", "edition")]),
    "center_budget": ("cap", 9, []),
    "arena_disclosure": ("environments", 9, [("card_id", "release_set")]),
    "arena_harness": ("code_url", "x", [("name", "version")]),
    "arena_boardentry": ("description", "x", [("card_id",)]),
    "arena_declaration": ("evidence", "x", [("entry_id",)]),
    "arena_removal": ("why", "x", [("entry_id",)]),
    "arena_submissionfile": ("program", "x", [("digest", "release_set")]),
    "arena_scoredtask": ("right", "[]", [("file_id", "version_id")]),
    "arena_submissionremoval": ("why", "x", [("file_id",)]),
    "arena_cardnote": ("text", "x", []),
    "arena_ownerchange": ("text", "x", []),
    "arena_holdout": ("seed", "x", []),
    "arena_finalreading": ("read_at", "2000-01-01", [("holdout_id",)]),
    "arena_keychange": ("per_minute", 9, []),
    "studio_statemask": ("reason", "x", []),
    "studio_redundancymark": ("reason", "x", []),
    "studio_redundancyanswer": ("reason", "x", [("mark_id", "agrees")]),
    "people_accountchange": ("kind", "x", []),
    "people_withdrawal": ("removed", "{}", [("participant_id",)]),
    "people_sameperson": ("reason", "x", []),
    "people_samepersonreversal": ("reason", "x", [("link_id",)]),
    "people_participant": ("simulated", True, [("label",)]),
    "people_consent": ("text", "x", []),
    "people_survey": ("answers", "{}", []),
    "people_retentionrule": ("days", 9, []),
    "people_erasure": ("number", 9, []),
    "people_personexport": ("held_out", True, []),
    "people_recordlink": ("note", "x", []),
    "people_recordform": ("columns", "[]", [("name",)]),
    "play_outsidestudy": ("imported_at", "2020-01-01 00:00:00", [("study_id",)]),
    "play_outsideattempt": ("digest", "x", [("attempt_id",)]),
    "play_outsidename": ("name", "7", [("kind", "row"), ("study_id", "kind", "name")]),
    "play_study": ("created_by_id", 4242, [("name",)]),
    "play_debrief": ("attempt_id", 4242, []),
    "review_decision": ("reason", "x", []),
    "review_readtoken": ("expires_at", "2099-01-01 00:00:00", [("token_hash",)]),
    "studio_environment": ("kind", "task", [("code",)]),
    "studio_version": ("source", "x", [("environment_id", "digest")]),
    "studio_recording": ("made_at", "2020-01-01 00:00:00", [("version_id", "kind", "name")]),
    "play_study_pool": ("environment_id", 4242, []),
    "center_slot": ("study_id", 4242, []),
    "center_booking": ("participant_id", 4242, []),
    "arena_apikey": ("created_at", "2020-01-01 00:00:00", [("key_hash",)]),
    "arena_scorecard": ("strict", True, [("card_id",)]),
    "arena_run": ("started_at", "2020-01-01 00:00:00", [("guid",)]),
    "arena_play": ("number", 9, [("attempt_id",)]),
    "people_staff": ("date_joined", "2020-01-01 00:00:00", [("username",)]),
    "otp_totp_totpdevice": ("key", "x", []),
    "otp_static_staticdevice": ("user_id", 4242, []),
    "otp_static_statictoken": ("token", "x", []),
    "operation_maintenance": ("summary", "x", []),
}

DELETABLE = [table for table, one in protected().items() if one.deletable]
"""Rows that people or designers may delete, which leaves a link."""


GENERATED = ("more_than_actions", "less_than_seconds", "view_seconds")
"""Columns that the database computes: nobody can write them."""
REFUSED = "append-only|stays on record|duplicate key"


@pytest.fixture(scope="module")
def attempt(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attempt]:
    """An attempt with a row about it in every protected table; made once, because no test can change it."""
    with override_settings(DATA_DIR=tmp_path_factory.mktemp("protected")):
        yield recorded()


def refuses(statement: str, *values: Any) -> None:
    with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def row_of(table: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id LIMIT 1")
        names = [column[0] for column in cursor.description]
        row = zip(names, cursor.fetchone(), strict=True)
        return {name: value for name, value in row if name not in GENERATED}


def insertion(verb: str, table: str, row: dict[str, Any]) -> str:
    names = ", ".join(map(quoted, row))
    return f"{verb} INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(row))})"


def quoted(column: str) -> str:
    """A column's name in SQL, which may be a word of the language."""
    return connection.ops.quote_name(column)


@pytest.mark.parametrize("table", TABLES)
def test_no_row_can_be_changed_deleted_or_replaced(attempt: Attempt, table: str) -> None:
    """Tries REPLACE by every unique key (SQLite), TRUNCATE (PostgreSQL) and upserts (both), too."""
    column, value, keys = TABLES[table]
    refuses(f"UPDATE {table} SET {quoted(column)} = %s", value)
    refuses(f"UPDATE {table} SET id = id + 1000")
    if table not in DELETABLE:
        refuses(f"DELETE FROM {table}")
    row = row_of(table) | {column: value}
    changed = f"{quoted(column)} = EXCLUDED.{quoted(column)}"
    upsert = f" ON CONFLICT (id) DO UPDATE SET {changed}"
    refuses(insertion("INSERT", table, row) + upsert, *row.values())
    for key in keys:
        new = {name: value for name, value in row.items() if name != "id"}
        upsert = f" ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"
        refuses(insertion("INSERT", table, new) + upsert, *new.values())
    if connection.vendor == "sqlite":
        refuses(insertion("INSERT OR REPLACE", table, row), *row.values())
        for key in keys:
            others = {name: 4242 for other in keys for name in other if name not in key}
            moved = row | {"id": 4242} | others
            refuses(insertion("REPLACE", table, moved), *moved.values())
        refuses(f"UPDATE OR REPLACE {table} SET {quoted(column)} = %s", value)
    else:
        refuses(f"TRUNCATE {table} CASCADE")


def test_an_attempt_cannot_be_pushed_out_by_another_open_one_of_its_session(attempt: Attempt) -> None:
    """One open attempt a session is a unique key, too."""
    session = make.session(attempt.session.study)
    opened = open_next(session)
    assert opened is not None
    row = row_of("play_attempt")
    row |= {"id": 1000, "session_id": session.pk, "number": 9, "ended_at": None, "outcome": "", "seal": None}
    verb = "INSERT OR REPLACE" if connection.vendor == "sqlite" else "INSERT"
    refuses(insertion(verb, "play_attempt", row), *row.values())


@pytest.mark.parametrize("kind", ["fee", "adjustment", "payment"])
def test_no_line_of_pay_can_be_replaced_by_another_of_its_key(attempt: Attempt, kind: str) -> None:
    """Of an account there is one fee and one bonus, of an adjustment one line, of a batch one payment."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM center_payline WHERE kind = %s ORDER BY id DESC LIMIT 1", [kind])
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True)) | {"id": 4242, "amount": 9}
    verb = "REPLACE" if connection.vendor == "sqlite" else "INSERT"
    refuses(insertion(verb, "center_payline", row), *row.values())


IDENTITY = {
    "session_id": 1000, "participant_id": 1000, "environment_id": 1000, "version_id": 1000, "number": 9,
    "seed": 9, "assigned_at": "2020-01-01 00:00:00",
}  # fmt: skip
END = {
    "first_frame_at": "2020-01-01 00:00:00", "ended_at": "2020-01-01 00:00:00", "outcome": "completed",
    "fault_code": "x", "fault_message": "x",
}  # fmt: skip


def test_the_identity_the_end_and_the_seal_of_an_attempt_cannot_be_changed(attempt: Attempt) -> None:
    for column, value in (IDENTITY | END).items():
        refuses(f"UPDATE play_attempt SET {column} = %s WHERE id = %s", value, attempt.pk)
    refuses("UPDATE play_attempt SET ended_at = NULL, outcome = '' WHERE id = %s", attempt.pk)
    refuses("UPDATE play_attempt SET seal = NULL WHERE id = %s", attempt.pk)
    refuses("UPDATE play_attempt SET first_frame_at = NULL WHERE id = %s", attempt.pk)


def test_an_open_attempt_keeps_its_first_frame_and_can_end(attempt: Attempt) -> None:
    opened = make.play(make.session(attempt.session.study), [4], outcome=None)
    refuses("UPDATE play_attempt SET first_frame_at = NULL WHERE id = %s", opened.pk)
    set_first_frame(opened.pk, now())
    opened.refresh_from_db()
    assert opened.first_frame_at == opened.entries.get(seq=0).server_time
    assert end_attempt(opened.pk, Outcome.GAVE_UP, now())


def test_the_summary_of_an_attempt_can_be_computed_again(attempt: Attempt) -> None:
    assert (
        Attempt.objects.filter(pk=attempt.pk).update(actions=5, levels_completed=1, last_action_at=None) == 1
    )


def test_an_ended_attempt_accepts_only_the_first_frame_time_of_its_journal(attempt: Attempt) -> None:
    """The attempt ended before its process stored the time of the first frame."""
    opened = make.play(make.session(attempt.session.study), [4], outcome=None)
    other = open_next(make.session(attempt.session.study))
    assert other is not None
    entry = opened.entries.get(seq=0)
    entry.pk, entry.attempt = None, other
    entry.save()
    end_attempt(other.pk, Outcome.SESSION_OVER, now())
    set_first_frame(other.pk, now() + timedelta(seconds=1))
    other.refresh_from_db()
    assert other.first_frame_at == entry.server_time


def test_no_entry_can_be_added_to_an_ended_attempt(attempt: Attempt) -> None:
    row = row_of("play_entry")
    del row["id"]
    for seq in (3, 1, 9):
        row["seq"] = seq
        refuses(insertion("INSERT", "play_entry", row), *row.values())


def test_an_entry_must_have_the_next_number_of_its_attempt(attempt: Attempt) -> None:
    opened = make.play(make.session(attempt.session.study), [4], outcome=None)
    entry = opened.entries.get(seq=1)
    row = row_of("play_entry") | {"attempt_id": opened.pk}
    del row["id"]
    for seq in (0, 1, 3):
        refuses(insertion("INSERT", "play_entry", row | {"seq": seq}), *(row | {"seq": seq}).values())
    entry.pk, entry.seq = None, 2
    entry.save()
    assert Entry.objects.filter(attempt=opened).count() == 3


def test_a_withdrawal_cannot_be_changed_to_another_participant(attempt: Attempt) -> None:
    Withdrawal.objects.create(participant=attempt.participant, started_at=now())
    other = new_participant()
    refuses("UPDATE people_withdrawal SET participant_id = %s WHERE finished_at IS NULL", other.pk)
    refuses("UPDATE people_withdrawal SET started_at = %s WHERE finished_at IS NULL", "2020-01-01 00:00:00")
    verb = "UPDATE OR REPLACE" if connection.vendor == "sqlite" else "UPDATE"
    done = Withdrawal.objects.get(finished_at__isnull=False)
    refuses(
        f"{verb} people_withdrawal SET participant_id = %s WHERE finished_at IS NULL", done.participant_id
    )


def test_the_tests_try_every_protected_table_with_a_row(attempt: Attempt) -> None:
    assert set(TABLES) == set(triggers.protected_tables())
    assert SignedDay.objects.count() == 1
    assert all(row_of(table) for table in TABLES)
