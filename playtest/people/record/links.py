"""Links: whatever the product writes to a table of the record leaves one, in the same transaction.

A model of such a table derives from `Recorded`, and its query sets from `RecordedQuerySet`: saving, creating,
updating and deleting through Django add the links. What is written as SQL calls `link_rows` or
`delete_at_once`. The row is read back first, so that the digest is that of what is stored.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import batched
from typing import TYPE_CHECKING, Any

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from playtest.people.append_only import Protected, protected
from playtest.people.record.digests import form_of, link_line, mark, row_digest

_AT_ONCE = 500


class LinkKind(models.TextChoices):
    WRITTEN = "written", "written"
    DELETED = "deleted", "deleted"
    UPGRADED = "upgraded", "taken over at an upgrade"


class RecordLink(models.Model):
    """One state of one row: the digest of its columns, or that it was deleted. Triggers refuse every change.

    `form` names the columns (`RecordForm`). `mark` is the server's own (`digests.mark`). `place` counts the
    links of a table from 1, and `chain` is their chain's value after this one, 32 bytes: both are set when
    the day is signed. `note` says why a row was deleted.
    """

    table_name = models.CharField(max_length=63)
    row_id = models.BigIntegerField()
    kind = models.CharField(max_length=8, choices=LinkKind)
    form = models.CharField(max_length=16)
    digest = models.BinaryField(max_length=32)
    note = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField()
    mark = models.BinaryField(max_length=32)
    place = models.PositiveBigIntegerField(null=True)
    chain = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table_name", "place"], name="record_link_is_unique_by_place")
        ]
        indexes = [
            models.Index(fields=["table_name", "row_id"], name="record_link_by_row"),
            models.Index(fields=["at"], condition=Q(place__isnull=True), name="record_link_not_placed"),
        ]

    def __str__(self) -> str:
        return f"{self.table_name} {self.row_id} {self.kind}"

    @property
    def line(self) -> str:
        """What it says (`digests.link_line`)."""
        return link_line(
            self.table_name, self.row_id, self.kind, self.form, bytes(self.digest), self.note, self.at
        )


class RecordForm(models.Model):
    """The columns of a table that links of this form are about, for what an upgrade compares."""

    name = models.CharField(max_length=16, unique=True)
    columns = models.JSONField()

    def __str__(self) -> str:
        return self.name


class RecordedQuerySet[M: models.Model](models.QuerySet[M]):
    """Links what it writes."""

    def update(self, **values: Any) -> int:
        if not _touches(self.model, values):
            return super().update(**values)
        with transaction.atomic(savepoint=False):
            rows = list(self.order_by().values_list("pk", flat=True))
            changed = super(RecordedQuerySet, self.filter(pk__in=rows)).update(**values) if rows else 0
            if changed:
                link_rows(self.model, rows)
        return changed

    def bulk_create(self, objs: Iterable[M], *args: Any, **options: Any) -> list[M]:
        if options.get("ignore_conflicts") or options.get("update_conflicts"):
            raise TypeError("rows of the record are created one way: without conflicts")
        with transaction.atomic(savepoint=False):
            made = super().bulk_create(objs, *args, **options)
            link_rows(self.model, [one.pk for one in made])
        return made

    bulk_create.alters_data = True  # type: ignore[attr-defined]
    update.alters_data = True  # type: ignore[attr-defined]


class Recorded(models.Model):
    """A row whose states are linked."""

    if not TYPE_CHECKING:  # there Django's own types hold
        objects = RecordedQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        fields = options.get("update_fields")
        if fields is not None and not _touches(type(self), fields):
            super().save(*args, **options)
            return
        with transaction.atomic(savepoint=False):
            super().save(*args, **options)
            link_rows(type(self), [self.pk])


def columns_of(model: type[models.Model], declared: Protected) -> tuple[str, ...]:
    """The linked columns of a model's table."""
    if declared.columns:
        return declared.columns
    return tuple(
        column.attname
        for column in model._meta.concrete_fields
        if not column.primary_key and not getattr(column, "generated", False)
    )


def is_linked(model: type[models.Model]) -> bool:
    """Whether rows of this model have links."""
    declared = protected().get(model._meta.db_table)
    return declared is not None and declared.linked


def link_rows(model: type[models.Model], rows: Collection[int], kind: str = LinkKind.WRITTEN) -> None:
    """Link the present state of these rows, in the running transaction."""
    table = model._meta.db_table
    columns, states = _states(model)
    for some in batched(rows, _AT_ONCE):
        digests = [
            (row, row_digest(table, row, columns, values)) for row, *values in states.filter(pk__in=some)
        ]
        _add(table, digests, kind, form_of(columns))


@cache
def _states(model: type[models.Model]) -> tuple[tuple[str, ...], models.QuerySet[Any, Any]]:
    """The linked columns, and the query of keys and these columns: it takes longer to make than to run."""
    columns = columns_of(model, protected()[model._meta.db_table])
    return columns, model._base_manager.order_by("pk").values_list("pk", *columns)


def link_deletion(model: type[models.Model], rows: Collection[int]) -> None:
    """Link that these rows are deleted, in the running transaction."""
    _add(model._meta.db_table, [(row, b"") for row in rows], LinkKind.DELETED, "")


def delete_at_once(rows: models.QuerySet[Any]) -> int:
    """Deletes rows in one statement: for many rows, and for rows that refer to each other; how many."""
    with transaction.atomic(savepoint=False):
        if is_linked(rows.model):
            link_deletion(rows.model, list(rows.order_by().values_list("pk", flat=True)))
        return rows._raw_delete(rows.db) or 0


def _add(table: str, digests: Iterable[tuple[int, bytes]], kind: str, form: str) -> None:
    at, note = timezone.now(), _reason.get()
    links = [
        RecordLink(table_name=table, row_id=row, kind=kind, form=form, digest=digest, note=note, at=at)
        for row, digest in digests
    ]
    for link in links:
        link.mark = mark(link.line)
    RecordLink.objects.bulk_create(links, batch_size=_AT_ONCE)


_reason: ContextVar[str] = ContextVar("reason", default="")


@contextmanager
def reason(text: str) -> Iterator[None]:
    """What is deleted meanwhile is deleted for this reason."""
    token = _reason.set(text)
    try:
        yield
    finally:
        _reason.reset(token)


def withdrawal_reason(number: int) -> str:
    """The note of rows that a withdrawal deletes, by its number."""
    return f"withdrawal {number}"


def _touches(model: type[models.Model], names: Iterable[str]) -> bool:
    """Whether one of these fields is linked."""
    columns = columns_of(model, protected()[model._meta.db_table])
    fields = {model._meta.pk.name if name == "pk" else name for name in names}
    return any(model._meta.get_field(name).attname in columns for name in fields)  # type: ignore[union-attr]


def follow_saves(sender: type[models.Model], instance: models.Model, **_: Any) -> None:
    """Receiver of `post_save` for models of libraries, whose rows are saved in a transaction."""
    link_rows(sender, [instance.pk])


def follow_deletions(sender: type[models.Model], instance: models.Model, **_: Any) -> None:
    """Receiver of `post_delete`, which is sent in the transaction of the deletion."""
    link_deletion(sender, [instance.pk])
