"""How long data of a kind is kept: the period that a lead has set, or the product's own."""

from typing import NamedTuple

from django.db import connection

from playtest.people.models import RetentionRule

SIGN_INS, SIGN_IN_TRIES, EXPORTS, BACKUPS = "sign_ins", "sign_in_tries", "exports", "backups"
DEFAULT_DAYS = {SIGN_INS: 0, SIGN_IN_TRIES: 30, EXPORTS: 14, BACKUPS: 30}
"""Kinds that are erased unless a lead says otherwise; all others are kept until one does."""


class Period(NamedTuple):
    """How many days; None: for good. `rule` is who set it, None if nobody did."""

    days: int | None
    rule: RetentionRule | None = None

    def __str__(self) -> str:
        if self.days is None:
            return "kept for good"
        return (
            f"erased after {self.days} day{'' if self.days == 1 else 's'}" if self.days else "erased at once"
        )


def period(kind: str) -> Period:
    """The period of a kind (`operation.retention.kinds`), as it is now."""
    rule = RetentionRule.objects.filter(kind=kind).select_related("staff").order_by("-pk").first()
    return Period(DEFAULT_DAYS.get(kind)) if rule is None else Period(rule.days, rule)


def overwrite_deleted_rows() -> None:
    """Makes SQLite overwrite deleted rows; else they stay in its file until their place is needed."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")
