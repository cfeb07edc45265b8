"""The triggers that keep logs, releases, moves between stages and changes of recordings append-only.

Nothing in them can be changed. Rows can be deleted for one reason: their participant withdraws consent, which
a row of `people_withdrawal` without `finished_at` says (`people.models.Withdrawal`). That row is kept as the
audit line: it cannot be deleted either, nor changed once it is finished. A release, a move or a change of a
recording is never deleted; what a release names of a person goes with that person. They are the same for
both databases.

SQLite drops a table's triggers when a migration rebuilds the table, and cannot rebuild a table that a trigger
names. So migrations run without them, and every `migrate` ends by setting them anew.
"""

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

ENTRY, EVENT, WITHDRAWAL = "play_entry", "play_event", "people_withdrawal"
RELEASE, RELEASE_INPUT = "insight_release", "insight_releaseinput"
MOVE = "studio_stagemove"
RECORDING_CHANGE = "studio_recordingchange"

_OWNER = {
    ENTRY: "SELECT participant_id FROM play_attempt WHERE id = OLD.attempt_id",
    EVENT: "SELECT participant_id FROM play_session WHERE id = OLD.session_id",
    RELEASE_INPUT: "SELECT participant_id FROM play_attempt WHERE id = OLD.attempt_id",
}
_NEVER_DELETED = (RELEASE, MOVE, RECORDING_CHANGE)
_TABLES = (*_OWNER, *_NEVER_DELETED, WITHDRAWAL)


def set_triggers(connection: BaseDatabaseWrapper) -> None:
    """Make the triggers what they are meant to be, whatever was there."""
    statements = _postgresql() if connection.vendor == "postgresql" else _sqlite()
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        remove_triggers(connection)
        for statement in statements:
            cursor.execute(statement)


def remove_triggers(connection: BaseDatabaseWrapper) -> None:
    """Take every trigger off the tables, for the length of a migration."""
    with connection.cursor() as cursor:
        for name, table in _present(connection):
            place = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{place}")


def _present(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """The triggers on the tables, with their table."""
    placeholders = ", ".join(["%s"] * len(_TABLES))
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
        cursor.execute(query, _TABLES)
        return [(name, table) for name, table in cursor.fetchall()]


def _withdrawing(table: str) -> str:
    """Whether the row's own participant is withdrawing at this moment, as SQL."""
    owner = _OWNER[table]
    return f"EXISTS (SELECT 1 FROM {WITHDRAWAL} WHERE finished_at IS NULL AND participant_id = ({owner}))"


def _sqlite() -> list[str]:
    def trigger(name: str, table: str, operation: str, condition: str, message: str) -> str:
        return (
            f"CREATE TRIGGER {table}_{name} BEFORE {operation} ON {table} {condition} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )

    logs = [
        statement
        for table in _OWNER
        for statement in (
            trigger("refuses_update", table, "UPDATE", "", f"{table} is append-only"),
            trigger(
                "refuses_delete",
                table,
                "DELETE",
                f"WHEN NOT {_withdrawing(table)}",
                f"{table} is append-only",
            ),
        )
    ]
    kept = [
        trigger(f"refuses_{operation.lower()}", table, operation, "", f"{table} is append-only")
        for table in _NEVER_DELETED
        for operation in ("UPDATE", "DELETE")
    ]
    message = "a withdrawal stays on record"
    return [
        *logs,
        *kept,
        trigger("refuses_update", WITHDRAWAL, "UPDATE", "WHEN OLD.finished_at IS NOT NULL", message),
        trigger("refuses_delete", WITHDRAWAL, "DELETE", "", message),
    ]


def _postgresql() -> list[str]:
    statements = [
        _function("refuse_change", "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;"),
        _function("refuse_change_of_withdrawal", "RAISE EXCEPTION 'a withdrawal stays on record';"),
        f"CREATE TRIGGER {WITHDRAWAL}_refuses_removal BEFORE DELETE OR TRUNCATE ON {WITHDRAWAL} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_withdrawal()",
        f"CREATE TRIGGER {WITHDRAWAL}_refuses_update BEFORE UPDATE ON {WITHDRAWAL} FOR EACH ROW "
        "WHEN (OLD.finished_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_withdrawal()",
        *(
            f"CREATE TRIGGER {table}_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            for table in _NEVER_DELETED
        ),
    ]
    for table in _OWNER:
        check = (
            f"IF {_withdrawing(table)} THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;"
        )
        statements += [
            _function(f"refuse_deletion_of_{table}", check),
            f"CREATE TRIGGER {table}_refuses_change BEFORE UPDATE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
            f"CREATE TRIGGER {table}_refuses_delete BEFORE DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_{table}()",
        ]
    return statements


def _function(name: str, body: str) -> str:
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
