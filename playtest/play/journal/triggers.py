"""Database triggers that refuse changes of the record, for SQLite and PostgreSQL.

Append-only are the two logs, moves between stages, frozen versions of protocols, changes of recordings,
redundancy marks and their answers, sightings, signed days, links of two records of one person, and what
other rooms add with `protect` (baseline releases and what went into them). Their rows cannot be changed,
replaced or truncated. Of an attempt, its identity and, once they are set, its first frame and its end cannot
be changed; columns that repeat its journal can. Of a session, its participant, its study and, once it is
set, its version of the protocol cannot be changed. An entry enters only an attempt that is open, while its
session is not paused, and only as the next in sequence.

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
from dataclasses import dataclass

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

ENTRY, EVENT, ATTEMPT, DAY = "play_entry", "play_event", "play_attempt", "play_signedday"
WITHDRAWAL, MOVE, SESSION = "people_withdrawal", "studio_stagemove", "play_session"
SAME_PERSON, REVERSAL = "people_sameperson", "people_samepersonreversal"
NOTE = "play_agentnote"
PROTOCOL, RECORDING_CHANGE = "play_protocolversion", "studio_recordingchange"
SIGHTING = "studio_sighting"
REDUNDANCY_MARK, REDUNDANCY_ANSWER = "studio_redundancymark", "studio_redundancyanswer"

_STAYS = "a withdrawal stays on record"


@dataclass(frozen=True)
class RefusedInsert:
    """New rows that are refused: SQL that is true of such a row NEW, and the message."""

    name: str
    condition: str
    message: str


@dataclass(frozen=True)
class Protected:
    """One table. `owner` is SQL for the participant of the row OLD; None if no withdrawal deletes its rows.

    `unique` are its unique keys beside `id`, each as SQL that is true of a row with the key of NEW. `changed`
    is SQL over OLD and NEW for the updates that are refused; empty: every update. `refused_inserts` are
    further conditions on new rows.
    """

    table: str
    owner: str | None = None
    unique: tuple[str, ...] = ()
    changed: str = ""
    message: str = ""
    refused_inserts: tuple[RefusedInsert, ...] = ()

    @property
    def sentence(self) -> str:
        return self.message or f"{self.table} is append-only"

    @property
    def withdrawing(self) -> str:
        """Whether the row's own participant is withdrawing at this moment, as SQL."""
        whose = f"participant_id = ({self.owner})"
        return f"EXISTS (SELECT 1 FROM {WITHDRAWAL} WHERE finished_at IS NULL AND {whose})"

    @property
    def taken(self) -> str:
        """Whether another row has one of the keys of NEW, as SQL."""
        keys = (same("id"), *self.unique)
        return " OR ".join(f"EXISTS (SELECT 1 FROM {self.table} WHERE {key})" for key in keys)


def same(*columns: str) -> str:
    """SQL for "a row has the same values as NEW in these columns"."""
    return " AND ".join(f"{name} = NEW.{name}" for name in columns)


def _differs(*columns: str) -> str:
    """SQL for "one of these columns is changed"; the same in both databases."""
    return " OR ".join(
        f"(OLD.{name} IS NULL) <> (NEW.{name} IS NULL) OR OLD.{name} <> NEW.{name}" for name in columns
    )


OWNER_OF_ATTEMPT = "SELECT participant_id FROM play_attempt WHERE id = OLD.attempt_id"
"""The participant of the attempt that the row OLD belongs to."""

_IDENTITY = _differs(
    *("id", "session_id", "participant_id", "staff_id", "environment_id", "version_id", "first_level"),
    *("number", "seed", "assigned_at"),
)
_OPEN = "ended_at IS NULL AND set_aside_at IS NULL"
_END = _differs("first_frame_at", "ended_at", "outcome", "fault_code", "fault_message", "seal")


def _either_of(link: str) -> str:
    """Of the two participants of a link, the one who is withdrawing, as SQL."""
    return (
        f"SELECT MAX(participant_id) FROM {WITHDRAWAL} WHERE finished_at IS NULL AND participant_id IN"
        f" (SELECT one_id FROM {SAME_PERSON} WHERE id = {link}"
        f" UNION SELECT other_id FROM {SAME_PERSON} WHERE id = {link})"
    )


_PROTECTED = [
    Protected(ENTRY, OWNER_OF_ATTEMPT, (same("attempt_id", "seq"),)),
    Protected(NOTE, unique=(same("attempt_id", "seq"),)),
    Protected(EVENT, "SELECT participant_id FROM play_session WHERE id = OLD.session_id"),
    Protected(
        ATTEMPT,
        "OLD.participant_id",
        (
            same("participant_id", "environment_id"),
            same("session_id", "number"),
            f"{same('session_id')} AND {_OPEN} AND NEW.ended_at IS NULL AND NEW.set_aside_at IS NULL",
            f"{same('staff_id', 'version_id')} AND ended_at IS NULL AND NEW.ended_at IS NULL",
        ),
        f"{_IDENTITY} OR (OLD.first_frame_at IS NOT NULL AND ({_differs('first_frame_at')}))"
        f" OR (OLD.ended_at IS NOT NULL AND ({_END}))",
        "play_attempt is append-only: its identity, its first frame, its end",
    ),
    Protected(MOVE),
    Protected(
        SESSION,
        "OLD.participant_id",
        (same("code_hash"), same("consent_id"), same("survey_id")),
        f"{_differs('id', 'study_id', 'participant_id')}"
        f" OR (OLD.protocol_id IS NOT NULL AND ({_differs('protocol_id')}))",
        "play_session is append-only: its participant, its study, its version of the protocol",
    ),
    Protected(
        PROTOCOL,
        None,
        (same("study_id", "number"), f"{same('study_id')} AND frozen_at IS NULL AND NEW.frozen_at IS NULL"),
        f"OLD.frozen_at IS NOT NULL OR {_differs('id', 'study_id', 'number')}",
    ),
    Protected(RECORDING_CHANGE),
    Protected(SIGHTING, unique=(same("environment_id", "staff_id", "kind", "day"),)),
    Protected(REDUNDANCY_MARK),
    Protected(REDUNDANCY_ANSWER, unique=(same("mark_id", "agrees"),)),
    Protected(SAME_PERSON, _either_of("OLD.id")),
    Protected(REVERSAL, _either_of("OLD.link_id"), (same("link_id"),)),
    Protected(DAY, unique=(same("day"),)),
    Protected(
        WITHDRAWAL,
        None,
        (same("participant_id"),),
        f"OLD.finished_at IS NOT NULL OR {_differs('id', 'participant_id', 'staff_id', 'started_at')}",
        _STAYS,
    ),
]

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


def protect(*tables: Protected) -> None:
    """Adds tables of another room to those that the triggers protect. Called when that room starts."""
    _PROTECTED.extend(table for table in tables if table not in _PROTECTED)


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


def protected_tables() -> list[str]:
    return [protected.table for protected in _PROTECTED]


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

    for one in _PROTECTED:
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
    for one in _PROTECTED:
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
