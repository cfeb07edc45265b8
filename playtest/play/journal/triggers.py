"""Database triggers that refuse changes of the record, for SQLite and PostgreSQL.

Every table that a room's manifest names as `protected` has triggers. Where the manifest says no more, its
rows cannot be changed, replaced or truncated. Of an attempt, its identity and, once they are set, its first
frame and its end cannot be changed; columns that repeat its journal can. Of a session, its participant, its
study and, once it is set, its version of the protocol cannot be changed. An entry enters only an attempt that
is open, while its session is not paused, and only as the next in sequence.

Rows of a participant can be deleted for one reason: the participant withdraws consent. A row of
`people_withdrawal` without `finished_at` says so (`people.models.Withdrawal`). That row stays as the audit
line: it cannot be deleted either, nor changed once it is finished. A row that belongs to no participant, such
as a move, a version of a protocol or a signed day, is never deleted.

On SQLite, REPLACE deletes the row in its place without firing its delete trigger. So a trigger before every
insert refuses a row whose primary or unique key is taken. PostgreSQL knows no REPLACE, and ON CONFLICT DO
UPDATE fires the triggers against updates there.

SQLite drops a table's triggers when a migration rebuilds the table, and cannot rebuild a table that a trigger
names. So migrations run without them, and every `migrate` ends by setting them again.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from playtest.people.append_only import Fault, protected

ENTRY, ATTEMPT, SESSION = "play_entry", "play_attempt", "play_session"

_NEXT = f"(SELECT COALESCE(MAX(seq), -1) + 1 FROM {ENTRY} WHERE attempt_id = NEW.attempt_id)"
_ENDED = f"EXISTS (SELECT 1 FROM {ATTEMPT} WHERE id = NEW.attempt_id AND ended_at IS NOT NULL)"
_PAUSED = (
    f"EXISTS (SELECT 1 FROM {ATTEMPT} JOIN {SESSION} ON {SESSION}.id = {ATTEMPT}.session_id"
    f" WHERE {ATTEMPT}.id = NEW.attempt_id AND {SESSION}.paused_at IS NOT NULL)"
)
_ASIDE = f"EXISTS (SELECT 1 FROM {ATTEMPT} WHERE id = NEW.attempt_id AND set_aside_at IS NOT NULL)"
_CLOSED = f"{ENTRY} is append-only, and this attempt has ended"
_STOPPED = f"{ENTRY} is append-only, and the session of this attempt is paused"
_SET_ASIDE = f"{ENTRY} is append-only, and this attempt is set aside"
_GAP = f"{ENTRY} is append-only, and this entry is not the next of its attempt"


class Trigger(NamedTuple):
    """One trigger: the statement that makes it, and on PostgreSQL the function that it calls."""

    table: str
    name: str
    statement: str
    function: str = ""
    body: str = ""


def set_triggers(connection: BaseDatabaseWrapper) -> None:
    """Replace whatever triggers the tables have by those of this module."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        remove_triggers(connection)
        for one in _triggers(connection):
            if one.function:
                cursor.execute(_function(one.function, one.body))
            cursor.execute(one.statement)


def remove_triggers(connection: BaseDatabaseWrapper) -> None:
    """Drop every trigger of the tables, for the length of a migration."""
    with connection.cursor() as cursor:
        for name, table in _present(connection):
            place = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{place}")


def trigger_faults(connection: BaseDatabaseWrapper) -> list[Fault]:
    """Codes: trigger_missing, trigger_changed (or switched off), trigger_unknown (not the product's)."""
    postgresql = connection.vendor == "postgresql"
    expected = _expected_on_postgresql(connection) if postgresql else _expected_on_sqlite(connection)
    present = {(table, name): text for (name, table), text in _present(connection).items()}
    found = []
    for (table, name), text in sorted(expected.items()):
        if (table, name) not in present:
            found.append(Fault("trigger_missing", f"{table} has no trigger {name}."))
        elif present[table, name] != text:
            message = f"the trigger {name} of {table} is switched off or was changed."
            found.append(Fault("trigger_changed", message))
    for table, name in sorted(present.keys() - expected.keys()):
        found.append(Fault("trigger_unknown", f"{table} has a trigger {name} that is not the product's."))
    return found


def tables_exist(connection: BaseDatabaseWrapper) -> bool:
    """Whether every protected table exists: an earlier state of the migrations lacks some."""
    return set(protected_tables()) <= set(connection.introspection.table_names())


def protected_tables() -> list[str]:
    """The names of all tables that have triggers."""
    return list(protected())


def _present(connection: BaseDatabaseWrapper) -> dict[tuple[str, str], str]:
    """The text of each trigger on the tables, by its name and table."""
    tables = protected_tables()
    placeholders = ", ".join(["%s"] * len(tables))
    query = (
        f"{_ON_POSTGRESQL} AND pg_table_is_visible(tgrelid) AND relname IN ({placeholders})"
        if connection.vendor == "postgresql"
        else f"{_ON_SQLITE} AND tbl_name IN ({placeholders})"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, tables)
        return {(name, table): _WHERE.sub(" ON it ", text, 1) for name, table, text in cursor.fetchall()}


_ON_POSTGRESQL = (
    "SELECT tgname, relname, tgenabled::text || pg_get_triggerdef(pg_trigger.oid, true) || prosrc"
    " FROM pg_trigger"
    " JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal"
)
_ON_SQLITE = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
_WHERE = re.compile(r" ON \S+ ")


def _expected_on_sqlite(connection: BaseDatabaseWrapper) -> dict[tuple[str, str], str]:
    """SQLite keeps the statement as it was."""
    return {(one.table, one.name): _WHERE.sub(" ON it ", one.statement, 1) for one in _triggers(connection)}


def _expected_on_postgresql(connection: BaseDatabaseWrapper) -> dict[tuple[str, str], str]:
    """PostgreSQL writes conditions in its own way: triggers are made on empty copies, which do not stay."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        copies = {table: f"expected_{number}" for number, table in enumerate(protected_tables())}
        for table, copy in copies.items():
            cursor.execute(f"CREATE TEMPORARY TABLE {copy} (LIKE {table})")
        for one in _triggers(connection):
            cursor.execute(_function(one.function, one.body))
            cursor.execute(one.statement.replace(f" ON {one.table} ", f" ON {copies[one.table]} ", 1))
        cursor.execute(f"{_ON_POSTGRESQL} AND relname LIKE 'expected!_%%' ESCAPE '!'", [])
        of = {copy: table for table, copy in copies.items()}
        found = {(of[copy], name): _WHERE.sub(" ON it ", text, 1) for name, copy, text in cursor.fetchall()}
        transaction.set_rollback(True, connection.alias)
    return found


def _triggers(connection: BaseDatabaseWrapper) -> Iterator[Trigger]:
    yield from _postgresql() if connection.vendor == "postgresql" else _sqlite()


def _sqlite() -> Iterator[Trigger]:
    def trigger(name: str, table: str, operation: str, condition: str, message: str) -> Trigger:
        when = f"WHEN {condition}" if condition else ""
        statement = (
            f"CREATE TRIGGER {table}_{name} BEFORE {operation} ON {table} {when} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        return Trigger(table, f"{table}_{name}", statement)

    for one in protected().values():
        may_go = f"NOT {one.withdrawing}" if one.owner else ""
        yield trigger("refuses_update", one.table, "UPDATE", one.changed, one.sentence)
        if not one.deletable:
            yield trigger("refuses_delete", one.table, "DELETE", may_go, one.sentence)
        yield trigger("refuses_replace", one.table, "INSERT", one.taken, one.sentence)
        for refused in one.refused_inserts:
            yield trigger(f"refuses_{refused.name}", one.table, "INSERT", refused.condition, refused.message)
    yield trigger("refuses_late", ENTRY, "INSERT", _ENDED, _CLOSED)
    yield trigger("refuses_paused", ENTRY, "INSERT", _PAUSED, _STOPPED)
    yield trigger("refuses_aside", ENTRY, "INSERT", _ASIDE, _SET_ASIDE)
    yield trigger("refuses_gap", ENTRY, "INSERT", f"NEW.seq <> {_NEXT}", _GAP)


def _postgresql() -> Iterator[Trigger]:
    def trigger(name: str, table: str, when: str, each: str, function: str, body: str) -> Trigger:
        statement = (
            f"CREATE TRIGGER {table}_{name} BEFORE {when} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION {function}()"
        )
        return Trigger(table, f"{table}_{name}", statement, function, body)

    for one in protected().values():
        name, refuse = f"refuse_change_of_{one.table}", f"RAISE EXCEPTION '{one.sentence}';"
        yield trigger("refuses_truncate", one.table, "TRUNCATE", "STATEMENT", name, refuse)
        each = f"ROW WHEN ({one.changed})" if one.changed else "STATEMENT"
        yield trigger("refuses_update", one.table, "UPDATE", each, name, refuse)
        if one.owner and not one.deletable:
            function = f"refuse_deletion_of_{one.table}"
            unless = f"IF {one.withdrawing} THEN RETURN OLD; END IF; {refuse}"
            yield trigger("refuses_delete", one.table, "DELETE", "ROW", function, unless)
        elif not one.deletable:
            yield trigger("refuses_delete", one.table, "DELETE", "STATEMENT", name, refuse)
        for refused in one.refused_inserts:
            function = f"refuse_{one.table}_{refused.name}"
            raised = f"IF {refused.condition} THEN RAISE EXCEPTION '{refused.message}'; END IF; RETURN NEW;"
            yield trigger(f"refuses_{refused.name}", one.table, "INSERT", "ROW", function, raised)
    # A taken seq is left to the unique constraint, so that of two processes one is told and no group fails.
    body = (
        f"IF {_ENDED} THEN RAISE EXCEPTION '{_CLOSED}'; END IF; "
        f"IF {_PAUSED} THEN RAISE EXCEPTION '{_STOPPED}'; END IF; "
        f"IF {_ASIDE} THEN RAISE EXCEPTION '{_SET_ASIDE}'; END IF; "
        f"IF NEW.seq > {_NEXT} THEN RAISE EXCEPTION '{_GAP}'; END IF; RETURN NEW;"
    )
    yield trigger("refuses_late", ENTRY, "INSERT", "ROW", "refuse_entry", body)


def _function(name: str, body: str) -> str:
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
