"""Compares rows of the record with their links, and links with each other and with what was signed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.db import models

from playtest.people.append_only import Fault, protected
from playtest.people.models import Withdrawal
from playtest.people.record.digests import chain_after, chain_start, form_of, is_marked, row_digest
from playtest.people.record.links import LinkKind, RecordLink, columns_of, withdrawal_reason

_AT_ONCE = 2000
EXISTING = ("row_changed", "row_unlinked")
"""Faults of rows that are there."""
type Listed = Iterable[tuple[str, int, str]]
"""What signed days say of a table: the day, how many links it had, and the last one's chain value."""


class _Last(NamedTuple):
    kind: str
    form: str
    digest: bytes
    note: str


def differing_rows(
    model: type[models.Model], columns: tuple[str, ...], only: Collection[int] | None = None
) -> list[Fault]:
    """The rows of a table that are not as their last link says; of all rows, or of some.

    Codes: row_changed, row_unlinked (nothing that the product wrote), row_missing, deletion_unfounded.
    """
    table, form, found = model._meta.db_table, form_of(columns), []
    founded = {withdrawal_reason(pk) for pk in Withdrawal.objects.values_list("pk", flat=True)}
    declared = protected()[table]
    rows = model._base_manager.order_by("pk").values_list("pk", *columns)
    links = RecordLink.objects.filter(table_name=table).order_by("pk")
    if only is not None:
        rows, links = rows.filter(pk__in=only), links.filter(row_id__in=only)
    after: int | None = None
    while True:
        batch: list[Any] = list((rows if after is None else rows.filter(pk__gt=after))[:_AT_ONCE])
        until = batch[-1][0] if len(batch) == _AT_ONCE else None
        last = _last_links(links, after, until)
        for row, *values in batch:
            link = last.pop(row, None)
            if link is None or link.kind == LinkKind.DELETED:
                message = f"{table} {row} was not written by the product."
                found.append(Fault("row_unlinked", message, row))
            elif link.form != form or link.digest != row_digest(table, row, columns, values):
                message = f"{table} {row} is not as the product wrote it."
                found.append(Fault("row_changed", message, row))
        for row, link in last.items():
            if link.kind != LinkKind.DELETED:
                found.append(Fault("row_missing", f"{table} {row} is gone.", row))
            elif not declared.deletable and link.note not in founded:
                message = f"{table} {row} was deleted, and no withdrawal asked for it."
                found.append(Fault("deletion_unfounded", message, row))
        if until is None:
            return found
        after = until


def _last_links(links: models.QuerySet[RecordLink], after: int | None, until: int | None) -> dict[int, _Last]:
    """The last link of each row between these keys."""
    if after is not None:
        links = links.filter(row_id__gt=after)
    if until is not None:
        links = links.filter(row_id__lte=until)
    facts = links.values_list("row_id", "kind", "form", "digest", "note")
    return {row: _Last(kind, form, bytes(digest), note) for row, kind, form, digest, note in facts}


def row_faults(model: type[models.Model]) -> list[Fault]:
    """As `differing_rows`, of those that a second look finds again: people may play while it looks."""
    columns = columns_of(model, protected()[model._meta.db_table])
    first = differing_rows(model, columns)
    if not first:
        return []
    again = set(differing_rows(model, columns, {one.row for one in first}))
    return [one for one in first if one in again]


def link_faults(listed: Mapping[str, Listed]) -> Iterator[Fault]:
    """What is wrong with the links of all tables, after what signed days say of each.

    Codes: links_missing (a gap, or fewer than were signed), links_broken (the chain), links_unsigned (placed,
    and in no signed day), links_differ (another head was signed), link_forged.
    """
    for table in sorted({*listed, *_tables()}):
        yield from _chain_faults(table, {count: (day, chain) for day, count, chain in listed.get(table, ())})
    for link in RecordLink.objects.filter(place=None).order_by("pk").iterator():
        if not is_marked(link.line, bytes(link.mark)):
            message = f"a link of {link.table_name} {link.row_id} was not made by the product."
            yield Fault("link_forged", message)


def _tables() -> Iterable[str]:
    return RecordLink.objects.order_by().values_list("table_name", flat=True).distinct()


def _chain_faults(table: str, listed: dict[int, tuple[str, str]]) -> Iterator[Fault]:
    """The first fault of a table's chain."""
    place, value, signed = 0, chain_start(table), max(listed, default=0)
    for link in RecordLink.objects.filter(table_name=table, place__gt=0).order_by("place").iterator():
        place += 1
        if link.place != place:
            yield Fault("links_missing", f"{table} has no link {place} any more.")
            return
        value = chain_after(value, link.line)
        if value != bytes(link.chain or b""):
            yield Fault("links_broken", f"link {place} of {table} was changed.")
            return
        if place in listed and listed[place][1] != value.hex():
            message = f"link {place} of {table} is another one than was signed on {listed[place][0]}."
            yield Fault("links_differ", message)
            return
    if place < signed:
        yield Fault("links_missing", f"{table} has {place} links, and {signed} were signed.")
    if place > signed:
        yield Fault("links_unsigned", f"{table} has {place} links, and signed days know {signed}.")
