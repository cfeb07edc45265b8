"""The database refuses changes of the record by plain SQL, by REPLACE, upsert or TRUNCATE."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from playtest.arena.models import BoardEntry, Scorecard, ScoredTask, SubmissionFile
from playtest.arena.runs.cards import add_note
from playtest.arena.runs.custody import disclose
from playtest.arena.runs.keys import change_key
from playtest.arena.scores.boards import adopt_harness, declare, remove
from playtest.arena.scores.submissions import remove_submission
from playtest.center.models import AdjustmentReason, Void, VoidReversal
from playtest.center.pay.services import (
    decide_adjustment,
    enter_adjustment,
    issue_receipt,
    make_batch,
    set_budget,
)
from playtest.center.same_records import link_records, reverse_link
from playtest.insight.models import Release, ReleasedReport, ReleaseInput
from playtest.insight.services.reports import answer_item, deposit, register
from playtest.people.accounts import sign_out_own
from playtest.people.models import Withdrawal
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.journal import triggers
from playtest.play.journal.days import sign_days
from playtest.play.models import AgentNote, Attempt, Entry, SessionEnd, SignedDay
from playtest.play.sessions.attempts import begin_run, end_attempt, open_next, set_first_frame
from playtest.play.sessions.ends import end_session
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from playtest.studio.models import RecordingChange, SightingKind, StageMove, Version
from playtest.studio.services.redundancy import answer, mark_redundant
from playtest.studio.services.sightings import note_sightings
from tests import make
from tests.arena.scores import agents
from tests.make import days_later
from tests.staff import staff

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
    "arena_keychange": ("per_minute", 9, []),
    "studio_redundancymark": ("reason", "x", []),
    "studio_redundancyanswer": ("reason", "x", [("mark_id", "agrees")]),
    "people_accountchange": ("kind", "x", []),
    "people_withdrawal": ("removed", "{}", [("participant_id",)]),
    "people_sameperson": ("reason", "x", []),
    "people_samepersonreversal": ("reason", "x", [("link_id",)]),
}


GENERATED = ("more_than_actions", "less_than_seconds", "view_seconds")
"""Columns that the database computes: nobody can write them."""
REFUSED = "append-only|stays on record|duplicate key"


@pytest.fixture(scope="module")
def attempt(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attempt]:
    """An attempt with a row about it in every protected table; made once, because no test can change it."""
    with override_settings(DATA_DIR=tmp_path_factory.mktemp("protected")):
        yield recorded()


def answered(version: Version) -> None:
    """A file of a program's answers that has left its board."""
    file = SubmissionFile.objects.create(
        program="p", release_set="public", digest="0" * 64, text="{}", imported_at=now()
    )
    ScoredTask.objects.create(file=file, version=version, right=[[True, False]])
    remove_submission(file, None, "by mistake")


def recorded() -> Attempt:
    study = make.study(people=100)
    gone = make.session(study, new_participant())
    end_session(gone, SessionEnd.ENDED_BY_STAFF)
    withdraw(gone.participant, None)
    attempt = make.play(make.session(study), [4, 4])
    release = Release.objects.create(
        version=attempt.version, environment=attempt.environment, number=1, rule_version="1", people=1,
        asked=10, levels=[], inputs_digest="", released_at=now(),
    )  # fmt: skip
    ReleaseInput.objects.create(release=release, attempt=attempt, level=1, actions=2, counted=True)
    deposit(register(study, None, people=1, analysis=""), None, "https://example.org/1")
    answer_item(study, "1.9", "None exists here.", None, based_on=0)
    ReleasedReport.objects.create(release=release, study=study, document={}, digest="x")
    StageMove.objects.create(
        environment=attempt.environment, before="specification", after="internal", moved_at=now()
    )
    RecordingChange.objects.create(
        version=attempt.version, name="win", actions=1, before="win", reason="a copy", changed_at=now()
    )
    note_sightings([attempt.environment_id], SightingKind.LIVE, staff(Role.LEAD))
    marked = mark_redundant(attempt.environment, make.environment("ck01"), "alike", staff(Role.LEAD))
    answer(marked, "both are walks", staff(Role.DESIGNER), agrees=True)
    AgentNote.objects.create(attempt=begin_run(attempt.version), seq=1, reasoning="{}", request_key="a")
    agents.run(card := agents.card(), ["1+"])
    disclose(agents.closed(card))
    entered(card)
    answered(attempt.version)
    void = Void.objects.create(
        attempt=attempt, staff=staff(Role.PROCTOR), reason="technical", voided_at=now()
    )
    VoidReversal.objects.create(void=void, staff=staff(Role.LEAD), text="it ran again", reversed_at=now())
    paid()
    lead = staff(Role.LEAD)
    reverse_link(
        link_records(attempt.participant, new_participant().label, "the desk knows", lead), "no", lead
    )
    sign_out_own(lead)
    sign_days(days_later(1))
    connection.check_constraints()  # PostgreSQL truncates nothing while some of them still wait
    return attempt


def entered(card: Scorecard) -> None:
    """A note on a scorecard, and an entry of the official board that was declared and removed."""
    engineer, lead = staff(Role.ENGINEER), staff(Role.LEAD)
    add_note(card, "Ran on a new machine.", lead)
    change_key(card.key, sets=["private"], per_minute=5, staff=lead)
    entry = BoardEntry.objects.create(
        card=card, board="official", agent="an agent", entered_at=now(), entered_by=engineer
    )
    declare(entry, adopt_harness("bench", "1", "", lead), lead, no_tools=True, evidence="Read three runs.")
    remove(entry, lead, "It had tools.")


def paid() -> None:
    """A session that ended, with an approved adjustment, a receipt, a batch and a budget."""
    session = make.session(make.study("ck01"))
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    lead, proctor = staff(Role.LEAD), staff(Role.PROCTOR)
    entered = enter_adjustment(session, Decimal(10), AdjustmentReason.WAITED, "The station failed.", proctor)
    decide_adjustment(entered, approved=True, text="", staff=lead)
    issue_receipt(entered.account, proctor)
    make_batch(None, None, None, lead)
    set_budget(session.study, Decimal(1000), 80, "The sponsor gave this.", lead)


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
