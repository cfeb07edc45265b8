"""What an audit finds in the journal (entries, chain, ends, signed days, replay) and in what repeats it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from asgiref.sync import async_to_sync
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from playtest.center.pay.differences import differences
from playtest.insight.compute.journal import wrong_results
from playtest.operation.installation import SIGNED_WITHIN
from playtest.people.record.rows import link_faults, row_faults
from playtest.people.record.signing import first_unplaced
from playtest.people.record.upgrade import linked_models
from playtest.play.errors import Refusal
from playtest.play.journal.anchors import waiting_anchors
from playtest.play.journal.days import broken_off
from playtest.play.journal.triggers import trigger_faults
from playtest.play.models import Attempt, Entry, Session, SignedDay
from playtest.play.sessions.attempts import wrong_pauses, wrong_summaries
from playtest.review.queries.signed_days import (
    check_days,
    listed_heads,
    listed_tables,
    missing_attempts,
    withdrawn_attempts,
)
from playtest.review.record_check import Verification
from playtest.review.services.verification import check_record, verify


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be. `attempt` and `seq` say where, if it has such a place.

    The codes are those of `review.record_check` and `review.queries.signed_days`, and attempt_missing,
    twice, summary_differs, pause_differs, results_differ, pay_differs, owed_below_zero, batch_differs; of the
    record's other tables, those of `people.record.rows`; of triggers, those of `play.journal.triggers`; of
    signing, those of `play.journal.days.broken_off` and `play.journal.anchors`, and day_unsigned; unreadable;
    of turns that a client was given: acknowledged_unreadable, acknowledged_missing, acknowledged_twice,
    sent_differs, answer_differs.
    """

    code: str
    message: str
    attempt: int | None = None
    seq: int | None = None


def of_entries(attempts: Sequence[int]) -> Iterator[Finding]:
    """Entries that come twice, and what differs without a replay; not of attempts withdrawn meanwhile."""
    attempts = list(Attempt.objects.filter(pk__in=attempts).order_by("pk").values_list("pk", flat=True))
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


def of_tables() -> Iterator[Finding]:
    """Rows of the record that are not as their links say, links that are not whole, triggers, the signer."""
    for fault in chain(
        trigger_faults(connection),
        chain.from_iterable(map(row_faults, linked_models())),
        link_faults(listed_tables(check_days())),
        waiting_anchors(timezone.now()),
    ):
        yield Finding(fault.code, fault.message)
    try:
        refusal = broken_off(list(SignedDay.objects.order_by("day")))
    except Refusal as unreadable:
        refusal = unreadable
    if refusal is not None:
        yield Finding(refusal.code, refusal.message)
    waits = first_unplaced()
    if waits is not None and timezone.now() - waits > SIGNED_WITHIN:
        message = (
            f"What was recorded since {waits:%Y-%m-%d %H:%M} UTC is in no signed day: is a worker running?"
        )
        yield Finding("day_unsigned", message)


def found_twice(find: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What a second look finds again: people may play, and workers compute, between two reads of one look."""
    found = list(find())
    again = {_place(one) for one in find()} if found else set()
    return [one for one in found if _place(one) in again]


def _place(one: Finding) -> tuple[object, ...]:
    return (one.code, one.message if one.attempt is None else one.attempt, one.seq)


def _differences(checked: Verification) -> Iterator[Finding]:
    for one in checked.differences:
        yield Finding(one.code, f"Attempt {checked.attempt_id}: {one.message}", checked.attempt_id, one.seq)


WAITS = "not_posted"
"""Pay that a worker has still to post is late, and not wrong."""


def of_attempts(attempts: Sequence[int]) -> Iterator[Finding]:
    """Summaries and level results of these attempts that differ from what `manage.py rebuild` computes."""
    chosen = Attempt.objects.filter(pk__in=attempts)
    for attempt in wrong_summaries(chosen):
        message = f"The summary of attempt {attempt} is not what its journal says: run manage.py rebuild."
        yield Finding("summary_differs", message, attempt)
    for attempt, message in wrong_results(chosen):
        yield Finding("results_differ", message, attempt)


def of_sessions() -> Iterator[Finding]:
    """Sessions that are not paused as their events say, and pay that does not add up."""
    for session in wrong_pauses(Session.objects.all()):
        message = f"Session {session.pk} is not paused as its events say: run manage.py rebuild."
        yield Finding("pause_differs", message)
    for one in differences():
        if one.code != WAITS:
            yield Finding(one.code, one.sentence)
