"""Entries and events can only be added: the database itself refuses every update and delete."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLES = ("play_entry", "play_event")
OPERATIONS = ("UPDATE", "DELETE")


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_refuses_{operation.lower()} BEFORE {operation} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in TABLES
        for operation in OPERATIONS
    ]


def _postgresql() -> list[str]:
    function = (
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    triggers = [
        f"CREATE TRIGGER {table}_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        for table in TABLES
    ]
    return [function, *triggers]


def make_append_only(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    statements = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]()
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("play", "0001_initial")]

    operations = [migrations.RunPython(make_append_only)]
