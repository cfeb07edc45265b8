"""What an audit finds in the journal (entries, chain, ends, signed days, replay) and in what repeats it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.db.models import Count

from playtest.center.pay.accounts import differences
from playtest.insight.compute.journal import wrong_results
from playtest.play.models import Attempt, Entry, Session
from playtest.play.sessions.summaries import wrong_pauses, wrong_summaries
from playtest.review.queries.signed_days import (
    check_days,
    listed_heads,
    missing_attempts,
    withdrawn_attempts,
)
from playtest.review.record_check import Verification
from playtest.review.services.verification import check_record, verify


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be. `attempt` and `seq` say where, if it has such a place.

    The codes are those of `review.record_check` and `review.queries.signed_days`, and
    attempt_missing, twice, summary_differs, pause_differs, results_differ, pay_differs, owed_below_zero,
    batch_differs; of turns that a client was given: acknowledged_unreadable, acknowledged_missing,
    acknowledged_twice, sent_differs, answer_differs.
    """

    code: str
    message: str
    attempt: int | None = None
    seq: int | None = None


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
