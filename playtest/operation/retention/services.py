"""Sets periods, says what is due, and erases it: each erasure leaves a row on the record."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched

from django.db import transaction

from playtest.operation.retention.kinds import KINDS, Kind, Rows
from playtest.people.models import Erasure, RetentionRule, Staff
from playtest.people.retention import SIGN_INS, Period, overwrite_deleted_rows, period
from playtest.people.sign_ins import end_those_without_an_end
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.rules.text import one_line, whole_number

MOST_DAYS = 36_500
MOST_LETTERS = 500
EXAMPLES = 3
_AT_ONCE = 200


@dataclass(frozen=True)
class Due:
    """What would be erased of a kind with a period; `oldest` is when the oldest one's period began.

    `number` is None where the product cannot see it, and 0 with a period that never ends.
    """

    kind: Kind
    period: Period
    number: int | None = 0
    oldest: datetime | None = None
    examples: tuple[str, ...] = ()


def _found(kind: Kind, held: Period, at: datetime) -> list[Rows]:
    """What of a kind is at least as old as its period at this moment, the oldest first."""
    if held.days is None or kind.rows is None:
        return []
    before = at - timedelta(days=held.days)
    return [rows.filter(aged_from__lte=before).order_by("aged_from") for rows in kind.rows()]


def due(kind: Kind, held: Period, at: datetime) -> Due:
    """What would be erased of a kind with this period at this moment."""
    found = _found(kind, held, at)
    first = [one for rows in found for one in rows[:EXAMPLES]]
    number = None if kind.rows is None else sum(rows.count() for rows in found)
    oldest = min((one.aged_from for one in first), default=None)
    return Due(kind, held, number, oldest, tuple(map(kind.called, first[:EXAMPLES])))


def preview(at: datetime) -> list[Due]:
    """What would be erased of every kind at this moment."""
    return [due(kind, period(kind.name), at) for kind in KINDS]


def apply(at: datetime) -> list[Erasure]:
    """Erases what is due at this moment; the rows that say so, at most `_AT_ONCE` erased for each.

    Sign-ins of a version that gave them no end are never due by their age: they go each time.
    """
    made = [one for kind in KINDS for one in _apply(kind, period(kind.name), at)]
    with transaction.atomic():
        if ended := end_those_without_an_end():
            made.append(record(SIGN_INS, period(SIGN_INS), ended, at, at))
    return made


def _apply(kind: Kind, held: Period, at: datetime) -> Iterator[Erasure]:
    for rows in _found(kind, held, at):
        for batch in batched(rows.values_list("pk", "aged_from"), _AT_ONCE):
            with transaction.atomic():
                overwrite_deleted_rows()
                number = kind.erase(rows.model._default_manager.filter(pk__in=[pk for pk, _ in batch]))
                made = record(kind.name, held, number, batch[0][1], at) if number else None
            if made:
                yield made


def record(kind: str, held: Period, number: int, oldest: datetime, at: datetime) -> Erasure:
    """The row that says what was erased, in the running transaction."""
    return Erasure.objects.create(
        kind=kind, number=number, oldest=oldest, days=held.days or 0, rule=held.rule, erased_at=at
    )


def set_period(kind: str, days: int | None, reason: str, staff: Staff) -> RetentionRule:
    """Sets how long data of a kind is kept from now on; None: for good.

    Refusal: those of `read_period`, period_unchanged, reason_missing, reason_invalid.
    """
    read_period(kind, "" if days is None else str(days))
    text = reason.strip()
    if not text:
        raise Refusal("reason_missing", "Say why: it stays on record with the period.", status=400)
    if len(text) > MOST_LETTERS or not one_line(text):
        message = f"Write the reason in one line of at most {MOST_LETTERS} characters."
        raise Refusal("reason_invalid", message, status=400)
    with transaction.atomic():
        if period(kind).days == days:
            raise Refusal("period_unchanged", "This is the period already. Nothing was changed.")
        return RetentionRule.objects.create(
            kind=kind, days=days, reason=text, staff=staff, set_at=machine_now()
        )


def read_period(kind: str, days: str) -> tuple[Kind, Period]:
    """The kind of this name, and the period of so many days, for good without any.

    Refusal: kind_unknown, period_too_short, period_too_long.
    """
    found = next((one for one in KINDS if one.name == kind), None)
    if found is None:
        raise Refusal("kind_unknown", "There is no such kind of data. Choose one of the list.", status=400)
    if not days.strip():
        return found, Period(None)
    number = whole_number(days.strip())
    if number is None or number > MOST_DAYS:
        message = f"Write at most {MOST_DAYS} days, or nothing to keep it for good."
        raise Refusal("period_too_long", message, status=400)
    if number < found.least:
        raise Refusal(
            "period_too_short", f"The shortest period of this kind is {found.least} day.", status=400
        )
    return found, Period(number)
