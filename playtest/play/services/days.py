"""Signs the days that are over: one list a day of the heads of all attempts that changed."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import batched
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from playtest.people.models import Withdrawal
from playtest.play.day_lists import DayList, Head, digest_of, newest_heads, sign
from playtest.play.models import Attempt, Entry, SignedDay
from playtest.play.signing import public_bytes, signing_key
from playtest.play.stored_chain import start_of

_A_DAY = timedelta(days=1)
_ATTEMPTS_AT_ONCE = 500
_AFTER_MIDNIGHT = timedelta(minutes=10)
"""An action of the last second may still be on its way to the journal."""


def sign_days(moment: datetime) -> list[SignedDay]:
    """Sign every day that is over at `moment` and on which something happened; returns the days signed now.

    Idempotent, and safe beside another process that does the same. What enters the journal later with an
    earlier time is in the next list. Refusal: as `signing.signing_key`.
    """
    known = list(SignedDay.objects.order_by("day"))
    lists = [DayList.read(day.document) for day in known]
    listed = newest_heads(lists)
    gone = {attempt for one in lists for attempt in one.withdrawn}
    signed: list[SignedDay] = []
    previous = known[-1] if known else None
    unsealed = _unsealed(listed)
    for day in _days(previous, [*unsealed.values(), *_withdrawals()], moment):
        end = datetime.combine(day + _A_DAY, time(), UTC)
        heads = tuple(_changed(sorted(unsealed), listed, end))
        withdrawn = tuple(sorted(_withdrawn(end) - gone))
        if not heads and not withdrawn:
            continue
        text = DayList(day, previous.digest if previous else "", heads, withdrawn).text()
        if (previous := _store(day, text, moment)) is None:
            break  # another process signs them
        signed.append(previous)
        listed |= {head.attempt: head for head in heads}
        unsealed = {attempt: at for attempt, at in unsealed.items() if not _is_sealed(listed, attempt)}
        gone |= set(withdrawn)
    return signed


def _days(previous: SignedDay | None, began: Iterable[datetime], moment: datetime) -> Iterator[date]:
    """The days that may have changes, up to the last one that is over."""
    last = (moment - _AFTER_MIDNIGHT).astimezone(UTC).date() - _A_DAY
    first = min((found.astimezone(UTC).date() for found in began), default=None)
    if first is None:
        return
    day = first if previous is None else max(first, previous.day + _A_DAY)
    while day <= last:
        yield day
        day += _A_DAY


def _unsealed(listed: dict[int, Head]) -> dict[int, datetime]:
    """Attempts whose end is in no list, with when they were assigned: only they can change."""
    attempts = Attempt.objects.order_by("pk").values_list("pk", "assigned_at")
    return {pk: at for pk, at in attempts.iterator() if not _is_sealed(listed, pk)}


def _is_sealed(listed: dict[int, Head], attempt: int) -> bool:
    return attempt in listed and listed[attempt].seal != ""


def _withdrawals() -> Iterator[datetime]:
    for finished in Withdrawal.objects.values_list("finished_at", flat=True):
        if finished is not None:
            yield finished


def _changed(attempt_ids: Iterable[int], listed: dict[int, Head], end: datetime) -> Iterator[Head]:
    """The heads at the end of a day that are not listed so already, by attempt."""
    newest = Entry.objects.filter(attempt=OuterRef("pk"), server_time__lt=end).order_by("-seq")
    attempts: QuerySet[Any] = (
        Attempt.objects.filter(assigned_at__lt=end)
        .select_related("version")
        .defer("version__source", "version__metadata")
        .annotate(head_seq=Subquery(newest.values("seq")[:1]), head=Subquery(newest.values("chain")[:1]))
        .order_by("pk")
    )
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        for attempt in attempts.filter(pk__in=part):
            head = _head(attempt, end)
            if listed.get(attempt.pk) != head:
                yield head


def _head(attempt: Any, end: datetime) -> Head:
    entries = 0 if attempt.head_seq is None else attempt.head_seq + 1
    chain = bytes(attempt.head) if entries else start_of(attempt)
    ended = attempt.ended_at is not None and attempt.ended_at < end
    return Head(attempt.pk, entries, chain.hex(), bytes(attempt.seal or b"").hex() if ended else "")


def _withdrawn(end: datetime) -> set[int]:
    found = Withdrawal.objects.filter(finished_at__lt=end).values_list("attempts", flat=True)
    return {attempt for attempts in found for attempt in attempts}


def _store(day: date, text: str, moment: datetime) -> SignedDay | None:
    """Store a signed day and return it; None if another process has signed this day."""
    key = signing_key()
    try:
        with transaction.atomic():
            return SignedDay.objects.create(
                day=day,
                document=text,
                digest=digest_of(text),
                signature=sign(text, key),
                public_key=public_bytes(key.public_key()),
                signed_at=moment,
            )
    except IntegrityError:
        return None
