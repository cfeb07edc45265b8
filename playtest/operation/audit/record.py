"""Whether the journal is whole: each entry once, in order, the chain, the ends, the signed days, a replay."""

from collections.abc import Iterable, Iterator, Sequence

from asgiref.sync import async_to_sync
from django.db.models import Count

from playtest.operation.audit.finding import Finding
from playtest.play.models import Attempt, Entry
from playtest.review.queries.signed_days import (
    check_days,
    listed_heads,
    missing_attempts,
    withdrawn_attempts,
)
from playtest.review.services.verification import check_record, verify
from playtest.review.verification_result import Verification


def of_entries(attempts: Sequence[int]) -> Iterator[Finding]:
    """Entries that come twice, and what differs in attempts without a replay."""
    rows = Entry.objects.filter(attempt__in=attempts).values_list("attempt", "seq").order_by()
    for attempt, seq in rows.annotate(times=Count("pk")).filter(times__gt=1):
        yield Finding("twice", f"Entry {seq} of attempt {attempt} is there twice.", attempt, seq)
    for checked in check_record(attempts):
        yield from _differences(checked)


def of_replay(attempts: Sequence[int], hosts: int | None) -> list[Finding]:
    """What differs when these attempts are played again from their journal."""
    found: list[Finding] = []
    async_to_sync(verify)(attempts, lambda checked: found.extend(_differences(checked)), hosts)
    return found


def of_days() -> Iterator[Finding]:
    """Signed days that are not valid, and attempts that are gone."""
    days = check_days()
    for day in days:
        if not day.ok:
            yield Finding(day.code, f"The list of {day.day.day}: {day.message}")
    listed = listed_heads(days)
    for lost in missing_attempts(listed, withdrawn_attempts(listed)):
        yield Finding("attempt_missing", lost.message, lost.attempt)


def still_there(found: Iterable[Finding]) -> list[Finding]:
    """Those findings about attempts that a second look finds again: people may play while it looks."""
    found = list(found)
    attempts = sorted({one.attempt for one in found if one.attempt is not None})
    existing = list(Attempt.objects.filter(pk__in=attempts).values_list("pk", flat=True))
    again = {(one.code, one.attempt, one.seq) for one in of_entries(existing)}
    return [one for one in found if (one.code, one.attempt, one.seq) in again]


def _differences(checked: Verification) -> Iterator[Finding]:
    for one in checked.differences:
        yield Finding(one.code, f"Attempt {checked.attempt_id}: {one.message}", checked.attempt_id, one.seq)
