"""Database triggers that refuse changes of the record, for SQLite and PostgreSQL.

Append-only is every table that a room's manifest names as `protected`: the two logs, signed days, frozen
versions of protocols, baseline releases. Their rows cannot be changed, replaced or truncated. Of an attempt,
its identity and, once they are set, its first frame and its end cannot be changed; columns that repeat its
journal can. Of a session, its participant, its study and, once it is set, its version of the protocol cannot
be changed. An entry enters only an attempt that is open, while its session is not paused, and only as the
next in sequence.

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

from collections.abc import Iterator

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from playtest.people.append_only import Protected
from playtest.people.manifests import manifests

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


def set_triggers(connection: BaseDatabaseWrapper) -> None:
    """Replace whatever triggers the tables have by those of this module."""
    statements = _postgresql() if connection.vendor == "postgresql" else _sqlite()
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        remove_triggers(connection)
        for statement in statements:
            cursor.execute(statement)


def remove_triggers(connection: BaseDatabaseWrapper) -> None:
    """Drop every trigger of the tables, for the length of a migration."""
    with connection.cursor() as cursor:
        for name, table in _present(connection):
            place = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{place}")


def tables_exist(connection: BaseDatabaseWrapper) -> bool:
    """Whether every protected table exists: an earlier state of the migrations lacks some."""
    return set(protected_tables()) <= set(connection.introspection.table_names())


def _protected() -> list[Protected]:
    return [table for manifest in manifests() for table in manifest.protected]


def protected_tables() -> list[str]:
    """The names of all tables that are append-only."""
    return [protected.table for protected in _protected()]


def _present(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """The triggers on the tables, with their table."""
    tables = protected_tables()
    placeholders = ", ".join(["%s"] * len(tables))
    if connection.vendor == "postgresql":
        query = (
            "SELECT DISTINCT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            f"WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND relname IN ({placeholders})"
        )
    else:
        query = (
            "SELECT name, tbl_name FROM sqlite_master "
            f"WHERE type = 'trigger' AND tbl_name IN ({placeholders})"
        )
    with connection.cursor() as cursor:
        cursor.execute(query, tables)
        return [(name, table) for name, table in cursor.fetchall()]


def _sqlite() -> Iterator[str]:
    def trigger(name: str, table: str, operation: str, condition: str, message: str) -> str:
        when = f"WHEN {condition}" if condition else ""
        return (
            f"CREATE TRIGGER {table}_{name} BEFORE {operation} ON {table} {when} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )

    for one in _protected():
        may_go = f"NOT {one.withdrawing}" if one.owner else ""
        yield trigger("refuses_update", one.table, "UPDATE", one.changed, one.sentence)
        yield trigger("refuses_delete", one.table, "DELETE", may_go, one.sentence)
        yield trigger("refuses_replace", one.table, "INSERT", one.taken, one.sentence)
        for refused in one.refused_inserts:
            yield trigger(f"refuses_{refused.name}", one.table, "INSERT", refused.condition, refused.message)
    yield trigger("refuses_late", ENTRY, "INSERT", _ENDED, _CLOSED)
    yield trigger("refuses_paused", ENTRY, "INSERT", _PAUSED, _STOPPED)
    yield trigger("refuses_aside", ENTRY, "INSERT", _ASIDE, _SET_ASIDE)
    yield trigger("refuses_gap", ENTRY, "INSERT", f"NEW.seq <> {_NEXT}", _GAP)


def _postgresql() -> Iterator[str]:
    for one in _protected():
        name = f"refuse_change_of_{one.table}"
        refuse = f"RAISE EXCEPTION '{one.sentence}';"
        yield _function(name, refuse)
        yield (
            f"CREATE TRIGGER {one.table}_refuses_truncate BEFORE TRUNCATE ON {one.table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )
        each = f"FOR EACH ROW WHEN ({one.changed})" if one.changed else "FOR EACH STATEMENT"
        yield (
            f"CREATE TRIGGER {one.table}_refuses_update BEFORE UPDATE ON {one.table} "
            f"{each} EXECUTE FUNCTION {name}()"
        )
        if one.owner:
            yield _function(
                f"refuse_deletion_of_{one.table}", f"IF {one.withdrawing} THEN RETURN OLD; END IF; {refuse}"
            )
            yield (
                f"CREATE TRIGGER {one.table}_refuses_delete BEFORE DELETE ON {one.table} "
                f"FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_{one.table}()"
            )
        else:
            yield (
                f"CREATE TRIGGER {one.table}_refuses_delete BEFORE DELETE ON {one.table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
            )
        for refused in one.refused_inserts:
            function = f"refuse_{one.table}_{refused.name}"
            raised = f"IF {refused.condition} THEN RAISE EXCEPTION '{refused.message}'; END IF; RETURN NEW;"
            yield _function(function, raised)
            yield (
                f"CREATE TRIGGER {one.table}_refuses_{refused.name} BEFORE INSERT ON {one.table} "
                f"FOR EACH ROW EXECUTE FUNCTION {function}()"
            )
    # A taken seq is left to the unique constraint, so that of two processes one is told and no group fails.
    yield _function(
        "refuse_entry",
        f"IF {_ENDED} THEN RAISE EXCEPTION '{_CLOSED}'; END IF; "
        f"IF {_PAUSED} THEN RAISE EXCEPTION '{_STOPPED}'; END IF; "
        f"IF {_ASIDE} THEN RAISE EXCEPTION '{_SET_ASIDE}'; END IF; "
        f"IF NEW.seq > {_NEXT} THEN RAISE EXCEPTION '{_GAP}'; END IF; RETURN NEW;",
    )
    yield (
        f"CREATE TRIGGER {ENTRY}_refuses_late BEFORE INSERT ON {ENTRY} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_entry()"
    )


def _function(name: str, body: str) -> str:
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
