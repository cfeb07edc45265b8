"""Every change of the record by SQL is found, alone and all together, with or without the triggers."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction
from django.test import override_settings
from pytest_django import Settings

from playtest.operation.audit import findings
from playtest.people.append_only import protected
from playtest.people.models import Participant, RecordLink
from playtest.people.record.digests import chain_after, chain_start
from playtest.people.record.links import LinkKind, columns_of
from playtest.people.record.rows import differing_rows, row_faults
from playtest.people.record.upgrade import after_upgrade, before_upgrade, linked_models
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal import signer
from playtest.play.journal.days import accept_record, sign_days
from playtest.play.journal.triggers import remove_triggers
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, SignedDay, Study
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.databases import free_of_triggers
from tests.make import days_later
from tests.review.tampering import chain_attempts
from tests.whole_record import recorded

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TABLES = {model._meta.db_table: model for model in linked_models()}


@pytest.fixture(scope="module")
def data(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation that has a row in every table of the record, and signed it."""
    folder = tmp_path_factory.mktemp("record")
    with override_settings(DATA_DIR=folder):
        attempt = recorded()
        for kind in (EventKind.PAGE_HIDDEN, EventKind.DISCONNECTED):
            Event.objects.create(
                session=attempt.session, attempt=attempt, kind=kind, server_time=now(), details={}
            )
        make.play(make.session(attempt.session.study), [4, 4])
        sign_days(days_later(2))
    return folder


@pytest.fixture(autouse=True)
def folder(data: Path, db: None, settings: Settings, tmp_path: Path) -> Iterator[None]:
    """A copy of the folder, so that a test can change the signer's memory; what it does to rows is undone."""
    for file in data.glob("record_key*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    settings.DATA_DIR = tmp_path
    with transaction.atomic():
        yield
        transaction.set_rollback(True)  # before anybody looks whether all references exist


def codes() -> set[str]:
    return {one.code for one in findings.of_tables()}


def change(statement: str, *values: Any) -> None:
    """One change by somebody with the rights of the database's owner."""
    with free_of_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def rows(table: str) -> list[dict[str, Any]]:
    """The rows of a table as SQL gives them, without what the database computes."""
    computed = {one.column for one in TABLES[table]._meta.concrete_fields if one.generated}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id")
        names = [column[0] for column in cursor.description]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [{name: value for name, value in row.items() if name not in computed} for row in found]


def another(field: "models.Field[Any, Any]", value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(field, models.DateField):
        return "2020-01-01 00:00:00"
    if isinstance(field, models.UUIDField):
        return "0" * 32
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, Decimal)):
        return value + 1
    if value == "interactive":
        return "task"
    if isinstance(value, (dict, list)) or str(value)[:1] in ("[", "{"):
        return "[7]"
    return "y" if value == "x" else "x"


def quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def invent(table: str, **said: Any) -> None:
    """A new row like the first one, with these values."""
    row = rows(table)[0] | {"id": 4242} | said
    given = {
        name: json.dumps(value) if isinstance(value, (dict, list)) else value for name, value in row.items()
    }
    change(
        f"INSERT INTO {table} ({', '.join(map(quoted, given))}) VALUES ({', '.join(['%s'] * len(given))})",
        *given.values(),
    )


def swap_participants() -> None:
    one, other = Session.objects.filter(attempts__isnull=False).order_by("pk")[:2]
    third = Participant.objects.filter(sessions=None).earliest("pk")
    for session, person in ((one, third.pk), (other, one.participant_id), (one, other.participant_id)):
        change("UPDATE play_session SET participant_id = %s WHERE id = %s", person, session.pk)
        change("UPDATE play_attempt SET participant_id = %s WHERE session_id = %s", person, session.pk)


def update(table: str, column: str, value: Any, where: str = "1 = 1") -> Callable[[], None]:
    return lambda: change(f"UPDATE {table} SET {quoted(column)} = %s WHERE {where}", value)


def delete(table: str, where: str = "1 = 1") -> Callable[[], None]:
    return lambda: change(f"DELETE FROM {table} WHERE {where}")


def invented(table: str, **said: Any) -> Callable[[], None]:
    return lambda: invent(table, **said)


def approve() -> None:
    invent("center_adjustment", amount=50)
    invent("center_adjustmentdecision", adjustment_id=4242)


def of_somebody_else(table: str, column: str) -> Callable[[], None]:
    """By another account than did it."""
    other = f"(SELECT MIN(id) FROM people_staff WHERE id <> {column})"
    return lambda: change(f"UPDATE {table} SET {column} = {other}")


CHANGES: dict[str, tuple[Callable[[], None], str, str]] = {
    # FOUND G2: what went unnoticed.
    "figures of a release": (
        update("insight_release", "levels", '[{"level": 1}]'), "row_changed", "insight_release",
    ),
    "an input of a release": (
        update("insight_releaseinput", "actions", 1), "row_changed", "insight_releaseinput",
    ),
    "inputs of a release deleted": (delete("insight_releaseinput"), "row_missing", "insight_releaseinput"),
    "a release deleted": (delete("insight_release"), "row_missing", "insight_release"),
    "a release invented": (invented("insight_release", number=2), "row_unlinked", "insight_release"),
    "a decision deleted": (delete("review_decision"), "row_missing", "review_decision"),
    "a decision invented": (
        invented("review_decision", kind="exclude_session"), "row_unlinked", "review_decision",
    ),
    "a decision of another reviewer": (
        of_somebody_else("review_decision", "reviewer_id"), "row_changed", "review_decision",
    ),
    "a decision about another session": (
        lambda: change("UPDATE review_decision SET session_id = (SELECT MAX(id) FROM play_session)"),
        "row_changed", "review_decision",
    ),
    "participants of two sessions swapped": (swap_participants, "row_changed", "play_session"),
    "events of hidden pages deleted": (
        delete("play_event", "kind = 'page_hidden'"), "row_missing", "play_event",
    ),
    "disconnects deleted": (delete("play_event", "kind = 'disconnected'"), "row_missing", "play_event"),
    "an event invented": (invented("play_event"), "row_unlinked", "play_event"),
    "the end of a session": (
        update("play_session", "ended_at", "2020-01-01 00:00:00", "ended_at IS NOT NULL"),
        "row_changed", "play_session",
    ),
    "why a session ended": (
        update("play_session", "end_reason", "time_is_up", "ended_at IS NOT NULL"),
        "row_changed", "play_session",
    ),
    "when somebody checked in": (
        update("play_session", "checked_in_at", "2020-01-01 00:00:00"), "row_changed", "play_session",
    ),
    "frozen thresholds": (
        update("play_protocolversion", "document", "{}"), "row_changed", "play_protocolversion",
    ),
    "a rehearsal": (update("play_study", "rehearsal", True), "row_changed", "play_study"),
    "somebody simulated": (
        update("people_participant", "simulated", True), "row_changed", "people_participant",
    ),
    "an approved adjustment invented": (approve, "row_unlinked", "center_adjustmentdecision"),
    "a batch deleted": (delete("center_paybatch"), "row_missing", "center_paybatch"),
    "lines of pay deleted": (delete("center_payline"), "row_missing", "center_payline"),
    "a consent": (update("people_consent", "text", "Anything."), "row_changed", "people_consent"),
    "a survey": (update("people_survey", "answers", '{"age": "18"}'), "row_changed", "people_survey"),
    "a debrief": (update("play_debrief", "difficulty", 1), "row_changed", "play_debrief"),
    "sightings deleted": (delete("studio_sighting"), "row_missing", "studio_sighting"),
    "a move of a stage deleted": (delete("studio_stagemove"), "row_missing", "studio_stagemove"),
    "a stage without a move": (
        update("studio_environment", "stage", "accepted"), "row_changed", "studio_environment",
    ),
    "a version's source": (update("studio_version", "source", "pass"), "row_changed", "studio_version"),
    "a recording": (update("studio_recording", "actions", "[]"), "row_changed", "studio_recording"),
    "an audit that succeeded": (invented("operation_maintenance"), "row_unlinked", "operation_maintenance"),
    # What decides figures, money or access besides.
    "environments out of a pool": (delete("play_study_pool"), "row_missing", "play_study_pool"),
    "an environment into a pool": (
        lambda: change("INSERT INTO play_study_pool (id, study_id, environment_id) VALUES (4242, 1, 4242)"),
        "row_unlinked", "play_study_pool",
    ),
    "a slot moved": (update("center_slot", "starts_at", "2020-01-01 00:00:00"), "row_changed", "center_slot"),
    "somebody who did not come": (
        update("center_booking", "state", "no_show"), "row_changed", "center_booking",
    ),
    "a booking deleted": (delete("center_booking"), "row_missing", "center_booking"),
    "a role": (update("people_staff", "role", "viewer"), "row_changed", "people_staff"),
    "somebody's password": (update("people_staff", "password", "x"), "row_changed", "people_staff"),
    "all rights for everybody": (update("people_staff", "is_superuser", True), "row_changed", "people_staff"),
    "an account invented": (invented("people_staff", username="mallory"), "row_unlinked", "people_staff"),
    "what was done to an account deleted": (
        delete("people_accountchange"), "row_missing", "people_accountchange",
    ),
    "a second factor deleted": (delete("otp_totp_totpdevice"), "row_missing", "otp_totp_totpdevice"),
    "a recovery code invented": (
        invented("otp_static_statictoken", token="mine"), "row_unlinked", "otp_static_statictoken",
    ),
    "what a key of an agent may play": (update("arena_apikey", "sets", "[]"), "row_changed", "arena_apikey"),
    "what a scorecard says": (
        update("arena_scorecard", "tags", '["mine"]'), "row_changed", "arena_scorecard",
    ),
    "a play of another number": (update("arena_play", "number", 7), "row_changed", "arena_play"),
}  # fmt: skip


@pytest.mark.services
def test_a_record_that_nobody_changed_has_no_findings() -> None:
    assert list(findings.of_tables()) == []
    assert TABLES.keys() >= {"play_session", "play_event", "center_payline", "insight_release"}
    signed = sum(head[0] for head in last_heads().values())
    assert signed == RecordLink.objects.filter(place__isnull=False).count() > len(TABLES)


def last_heads() -> dict[str, tuple[int, str]]:
    """The newest signed head of each table."""
    found: dict[str, tuple[int, str]] = {}
    for day in SignedDay.objects.order_by("day"):
        found |= {name: (count, chain) for name, (count, chain) in json.loads(day.document)["tables"].items()}
    return found


ALONE = (
    "figures of a release", "a decision about another session", "participants of two sessions swapped",
    "events of hidden pages deleted", "an approved adjustment invented", "environments out of a pool",
    "an environment into a pool", "a recovery code invented",
)  # fmt: skip
"""A change of each form. That every column of every table is compared, another test shows."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in ALONE else pytest.mark.long) for name in CHANGES]
)
def test_a_change_is_found_alone_and_after_the_forger(name: str) -> None:
    tamper, code, table = CHANGES[name]
    tamper()
    assert codes() == {code}
    forge_the_past()
    assert code in {one.code for one in row_faults(TABLES[table])}


@pytest.mark.services
@pytest.mark.parametrize("deleted", [False, True])
def test_all_changes_together_are_named_by_an_audit_also_after_the_forger(*, deleted: bool) -> None:
    made = [change for name, change in CHANGES.items() if ("deleted" in name) == deleted]
    for tamper, _, _ in made:
        tamper()
    if deleted:
        forge_the_past()
    found = {(one["code"], one["message"].split()[0]) for one in audited()}
    assert found >= {(code, table) for _, code, table in made}
    codes = {code for code, _ in found}
    assert codes >= ({"record_shorter", "links_unsigned"} if deleted else {"unreadable"})


def audited() -> list[dict[str, Any]]:
    """What `audit --json` finds; it must fail."""
    said = StringIO()
    with pytest.raises(CommandError, match="audit_failed"):
        call_command("audit", "--json", stdout=said)
    found: list[dict[str, Any]] = json.loads(said.getvalue())["findings"]
    return found


def forge_the_past() -> None:
    """FOUND G1: no triggers, no signed days, other times; chain and seal computed anew; let it be signed."""
    attempt = Attempt.objects.filter(session__isnull=False).earliest("pk")
    change("DELETE FROM play_signedday")
    change("UPDATE play_entry SET previous_paint_ms = 1 WHERE attempt_id = %s", attempt.pk)
    with free_of_triggers():
        version = Attempt.objects.select_related("version").get(pk=attempt.pk)
        chain_attempts(connection, [version], Entry.objects.order_by())
    with pytest.raises(Refusal) as refused:
        sign_days(days_later(4))
    assert refused.value.code == "record_shorter"
    assert not SignedDay.objects.exists()


@pytest.mark.parametrize("table", TABLES)
def test_every_linked_column_of_every_table_is_compared(table: str) -> None:
    """But for changes that a constraint of the table refuses in any case."""
    row, model, tried = rows(table)[0], TABLES[table], 0
    columns = columns_of(model, protected()[table])
    connection.check_constraints()
    for field in model._meta.concrete_fields:
        column = str(field.column)
        if field.attname in columns and row[column] is not None:
            with suppress(IntegrityError), transaction.atomic():
                value = another(field, row[column])
                change(f"UPDATE {table} SET {quoted(column)} = %s WHERE id = %s", value, row["id"])
                [found] = differing_rows(model, columns)
                assert (found.code, found.row) == ("row_changed", row["id"]), field
                tried += 1
                transaction.set_rollback(True)
    assert tried >= 1


def forged(table: str, row: int, **said: Any) -> None:
    """A link that somebody without the server's key writes, as well as they can."""
    link = RecordLink(
        table_name=table, row_id=row, at=now(), mark=bytes(32), **{"form": "", "digest": b""} | said
    )
    link.save()


def replace_link(table: str, *, chained: bool) -> None:
    """Makes a link say that its row was deleted, and may compute the chain anew."""
    links = list(RecordLink.objects.filter(table_name=table, place__isnull=False).order_by("place"))
    links[0].digest = bytes(32)
    value = chain_start(table)
    for link in links:
        value = chain_after(value, link.line)
        link.chain = value if chained else link.chain
    with free_of_triggers():
        RecordLink.objects.bulk_update(links, ["digest", "chain"])


def delete_through_the_product() -> None:
    with free_of_triggers():
        Event.objects.filter(kind=EventKind.PAGE_HIDDEN).delete()


def invent_with_a_link() -> None:
    approve()
    forged("center_adjustment", 4242, kind=LinkKind.WRITTEN)


def delete_with_a_link() -> None:
    delete("review_decision")()
    forged("review_decision", 1, kind=LinkKind.DELETED)


OF_DECISIONS = "table_name = 'review_decision'"
LINKS: dict[str, tuple[Callable[[], object], str]] = {
    "a row and its links deleted": (
        lambda: (delete("review_decision")(), delete("people_recordlink", OF_DECISIONS)()),
        "links_missing",
    ),
    "the first link deleted": (
        lambda: delete("people_recordlink", "place = 1 AND table_name = 'play_session'")(), "links_missing",
    ),
    "a link changed": (lambda: replace_link("play_session", chained=False), "links_broken"),
    "a chain computed anew": (lambda: replace_link("review_decision", chained=True), "links_differ"),
    "a link for an invented row": (
        lambda: invent_with_a_link(), "link_forged",
    ),
    "a link for a deleted row": (
        lambda: delete_with_a_link(), "link_forged",
    ),
    "rows deleted through the product without a withdrawal": (
        lambda: delete_through_the_product(), "deletion_unfounded",
    ),
    "places beyond the signed": (
        lambda: change("UPDATE people_recordlink SET place = 9999 WHERE place = 1"), "links_missing",
    ),
    "a trigger": (lambda: execute_ddl("play_session_refuses_update", "play_session"), "trigger_missing"),
    "all triggers": (lambda: remove_triggers(connection), "trigger_missing"),
    "another trigger under the name": (lambda: weaken_trigger(), "trigger_changed"),
    "the last signed day deleted": (
        lambda: change("DELETE FROM play_signedday WHERE day = %s", last_day().day), "record_shorter",
    ),
    "all signed days deleted": (lambda: delete("play_signedday")(), "record_shorter"),
    "a signed day replaced": (
        lambda: change("UPDATE play_signedday SET document = %s WHERE day = %s",
                       last_day().document + " ", last_day().day),
        "record_replaced",
    ),
    "the signer's memory deleted": (lambda: signer.memory_path().unlink(), "memory_missing"),
    "the signer's memory overwritten": (
        lambda: signer.memory_path().write_text("{}"), "memory_unreadable",
    ),
}  # fmt: skip


def last_day() -> SignedDay:
    return SignedDay.objects.latest("day")


def execute_ddl(name: str, table: str) -> None:
    connection.check_constraints()
    place = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{place}")


def weaken_trigger() -> None:
    """A trigger that refuses nothing, under the name of one that does."""
    execute_ddl("play_session_refuses_update", "play_session")
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TRIGGER play_session_refuses_update BEFORE UPDATE ON play_session FOR EACH ROW"
            " WHEN (OLD.id < 0) EXECUTE FUNCTION refuse_change_of_play_session()"
            if connection.vendor == "postgresql"
            else "CREATE TRIGGER play_session_refuses_update BEFORE UPDATE ON play_session"
            " WHEN OLD.id < 0 BEGIN SELECT RAISE(ABORT, 'no'); END"
        )


@pytest.mark.services
@pytest.mark.parametrize("name", LINKS)
def test_a_change_of_the_links_the_triggers_or_the_days_is_found(name: str) -> None:
    tamper, code = LINKS[name]
    tamper()
    assert code in codes()


@pytest.mark.services
def test_the_forger_of_a_whole_past_is_found_and_nothing_more_is_signed() -> None:
    forge_the_past()
    assert {"record_shorter", "links_unsigned"} <= codes()


@pytest.mark.services
def test_a_forged_link_is_not_signed() -> None:
    forged("center_adjustment", 4242, kind=LinkKind.WRITTEN)
    with pytest.raises(Refusal) as refused:
        sign_days(days_later(4))
    assert refused.value.code == "link_forged"


def test_a_link_with_an_earlier_key_of_the_server_counts(settings: Settings) -> None:
    new_participant()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert codes() == set()
    settings.SECRET_KEY_FALLBACKS = []
    assert codes() == {"link_forged"}


@pytest.mark.services
def test_a_withdrawal_leaves_links_and_no_findings() -> None:
    person = new_participant()
    make.play(make.session(make.study(), person), [4, 4])
    session = person.sessions.get()
    session.ended_at, session.end_reason = now(), "ended_by_staff"
    session.save()
    done = withdraw(person, None)
    assert codes() == set()
    gone = RecordLink.objects.filter(kind=LinkKind.DELETED, note=f"withdrawal {done.pk}")
    assert set(gone.values_list("table_name", flat=True)) >= {
        "play_session",
        "play_attempt",
        "people_consent",
    }


def test_the_signer_goes_on_from_a_restored_record() -> None:
    """The lists after the backup are lost with it; who restores says so."""
    change("DELETE FROM play_signedday WHERE day = %s", last_day().day)
    change(
        "UPDATE people_recordlink SET place = NULL, chain = NULL WHERE place > 0 AND at > %s", "2000-01-01"
    )
    assert "record_shorter" in codes()
    accept_record()
    assert "record_shorter" not in codes()


def test_what_waits_for_a_signature_for_too_long_is_found() -> None:
    new_participant()
    assert codes() == set()
    change("UPDATE people_recordlink SET at = %s WHERE place IS NULL", "2020-01-01 00:00:00")
    assert "day_unsigned" in codes()


@pytest.mark.services
def test_an_upgrade_links_what_it_changed_and_not_what_was_changed_before() -> None:
    study = Study.objects.earliest("pk")
    change("UPDATE people_participant SET simulated = %s", True)
    before = before_upgrade()
    change("UPDATE play_study SET name = 'as a migration says' WHERE id = %s", study.pk)
    change("DELETE FROM people_recordlink WHERE table_name = 'people_consent' AND place IS NULL")
    after_upgrade(before)
    assert codes() == {"row_changed"}
    found = RecordLink.objects.filter(kind=LinkKind.UPGRADED)
    assert list(found.values_list("table_name", "row_id")) == [("play_study", study.pk)]


def test_rows_of_the_time_before_links_are_taken_over() -> None:
    change("DELETE FROM people_recordlink")
    after_upgrade({})
    assert {one for one in codes() if one.startswith("row")} == set()
    assert set(RecordLink.objects.values_list("kind", flat=True)) == {LinkKind.UPGRADED}
