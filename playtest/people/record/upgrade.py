"""Links at an upgrade: rows that a migration changed, or that had no links before, are taken over.

A row that was not as its last link says before the upgrade is left as it is, for the audit to find.
"""

from collections.abc import Iterator

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models

from playtest.people.append_only import protected
from playtest.people.record.digests import form_of
from playtest.people.record.links import (
    LinkKind,
    RecordForm,
    RecordLink,
    columns_of,
    link_deletion,
    link_rows,
)
from playtest.people.record.rows import EXISTING, differing_rows

type Differing = dict[str, set[int]]


def linked_models() -> Iterator[type[models.Model]]:
    """The models of all linked tables."""
    for model in apps.get_models():
        declared = protected().get(model._meta.db_table)
        if declared is not None and declared.linked:
            yield model


def before_upgrade() -> Differing:
    """By table, the rows that are not as their last link says before migrations change them.

    They are compared by the columns of the form that their links have, as far as these still exist.
    """
    tables = set(connection.introspection.table_names())
    if not {RecordLink._meta.db_table, RecordForm._meta.db_table} <= tables:
        return {}
    found: Differing = {}
    for model in linked_models():
        table = model._meta.db_table
        links = RecordLink.objects.filter(table_name=table).exclude(form="").order_by("-pk")
        form = links.values_list("form", flat=True).first()
        known = RecordForm.objects.filter(name=form).first()
        if table in tables and known is not None and _readable(model, known.columns):
            found[table] = {one.row for one in differing_rows(model, tuple(known.columns))}
    return found


def after_upgrade(differing: Differing) -> None:
    """Link what the upgrade changed or found without a link; nothing where all is linked as it is."""
    for model in linked_models():
        table = model._meta.db_table
        columns = columns_of(model, protected()[table])
        RecordForm.objects.get_or_create(name=form_of(columns), defaults={"columns": list(columns)})
        now = [one for one in differing_rows(model, columns) if one.row not in differing.get(table, ())]
        link_rows(model, [one.row for one in now if one.code in EXISTING], LinkKind.UPGRADED)
        link_deletion(model, [one.row for one in now if one.code not in EXISTING])


def _readable(model: type[models.Model], columns: list[str]) -> bool:
    try:
        return all(model._meta.get_field(column) for column in columns)
    except FieldDoesNotExist:
        return False
