"""Checks signed days, and compares them with what the journal holds now."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max

from playtest.people.models import Withdrawal
from playtest.play.journal.days import DayList, MalformedDay, digest_of, is_signed
from playtest.play.journal.signer import trusted_keys
from playtest.play.models import Attempt, Event, SignedDay
from playtest.play.sessions.reads import PEOPLE
from playtest.review.record_check import Listed

OK = "ok"


@dataclass(frozen=True)
class DayCheck:
    """One day: its list where it can be read, and what is wrong with it (`code` "ok": nothing).

    Codes: document_malformed, document_changed, signature_invalid, key_unknown, link_broken.
    """

    day: SignedDay
    content: DayList | None
    code: str = OK
    message: str = "Signed, and linked to the day before."

    @property
    def ok(self) -> bool:
        return self.code == OK


@dataclass(frozen=True)
class Missing:
    """An attempt that signed days, events or numbers name, but that does not exist.

    `attempt` is None where only its place in a session is known.
    """

    attempt: int | None
    message: str


@dataclass(frozen=True)
class Withdrawn:
    """An attempt deleted by a withdrawal; signed days still name it."""

    attempt: int
    participant: str
    entries: int
    message: str


def check_days() -> list[DayCheck]:
    """Every signed day, oldest first. Refusal: record_key_invalid."""
    trusted, previous, found = trusted_keys(), "", []
    for day in SignedDay.objects.order_by("day"):
        found.append(_check(day, previous, trusted))
        previous = day.digest
    return found


def exported_days() -> dict[str, Any]:
    """Every signed day, for a check outside this installation (docs/journal.md); JSON types."""
    return {
        "format": "playtest signed days 1",
        "days": [
            {
                "day": day.day.isoformat(),
                "document": day.document,
                "signature": bytes(day.signature).hex(),
                "public_key": bytes(day.public_key).hex(),
            }
            for day in SignedDay.objects.order_by("day")
        ],
    }


def _check(day: SignedDay, previous: str, trusted: set[bytes]) -> DayCheck:
    try:
        content = DayList.read(day.document)
    except MalformedDay as error:
        return DayCheck(day, None, "document_malformed", f"The list cannot be read: {error}.")
    if digest_of(day.document) != day.digest or content.day != day.day:
        return DayCheck(day, content, "document_changed", "The list does not have the stored digest.")
    if not is_signed(day.document, bytes(day.signature), bytes(day.public_key)):
        return DayCheck(day, content, "signature_invalid", "The signature does not fit this list.")
    if bytes(day.public_key) not in trusted:
        message = (
            "Signed with a key that is not this installation's. If it once was, add it to RECORD_PUBLIC_KEYS."
        )
        return DayCheck(day, content, "key_unknown", message)
    if content.previous != previous:
        message = "This list follows another day than the one before it: a day is missing or was replaced."
        return DayCheck(day, content, "link_broken", message)
    return DayCheck(day, content)


def listed_heads(days: Iterable[DayCheck]) -> dict[int, Listed]:
    """For each attempt, its heads in the signed days that are valid."""
    heads = defaultdict(list)
    for day in days:
        for head in day.content.heads if day.ok and day.content else ():
            heads[head.attempt].append((day.day.day, head))
    return dict(heads)


def listed_tables(days: Iterable[DayCheck]) -> dict[str, list[tuple[str, int, str]]]:
    """For each table, its heads in the signed days that are valid: the day, how many links, their head."""
    heads = defaultdict(list)
    for day in days:
        for table, (count, chain) in day.content.tables.items() if day.ok and day.content else ():
            heads[table].append((day.day.day.isoformat(), count, chain))
    return dict(heads)


def withdrawn_attempts(listed: dict[int, Listed]) -> list[Withdrawn]:
    """Attempts of people who withdrew, with the last head that was listed of them."""
    found = []
    for done in Withdrawal.objects.filter(finished_at__isnull=False).select_related("participant"):
        for attempt in done.attempts:
            days = listed.get(attempt, ())
            entries = days[-1][1].entries if days else 0
            heads = f"{len(days)} signed heads remain" if days else "it was in no signed list yet"
            message = f"withdrawn by {done.participant.label} on {done.finished_at:%Y-%m-%d}; {heads}"
            found.append(Withdrawn(attempt, done.participant.label, entries, message))
    return sorted(found, key=lambda one: one.attempt)


def missing_attempts(listed: dict[int, Listed], withdrawn: Iterable[Withdrawn]) -> list[Missing]:
    """Attempts that signed days, events or the numbers of a session name, and that do not exist."""
    existing = set(Attempt.objects.values_list("pk", flat=True)) | {one.attempt for one in withdrawn}
    named = {}
    for attempt, days in listed.items():
        day, head = days[-1]
        named[attempt] = f"attempt {attempt} is gone: the list signed for {day} has {head.entries} entries"
    for attempt, events in _events_of_missing(existing):
        named.setdefault(attempt, f"attempt {attempt} is gone: {events} events of it are left")
    found: list[Missing] = [
        Missing(attempt, message) for attempt, message in sorted(named.items()) if attempt not in existing
    ]
    return [*found, *_gaps()]


def _events_of_missing(existing: set[int]) -> Iterator[tuple[int, int]]:
    rows = Event.objects.filter(attempt_id__isnull=False).values_list("attempt_id").annotate(Count("pk"))
    yield from ((attempt, count) for attempt, count in rows.order_by() if attempt not in existing)


def _gaps() -> Iterator[Missing]:
    """Attempts of a session are numbered from 1 without gaps."""
    sessions: Any = (
        Attempt.objects.filter(PEOPLE)
        .order_by()
        .values("session")
        .annotate(last=Max("number"), count=Count("pk"))
    )
    for row in sessions:
        if row["last"] != row["count"]:
            numbers = set(Attempt.objects.filter(session=row["session"]).values_list("number", flat=True))
            for number in sorted(set(range(1, row["last"] + 1)) - numbers):
                yield Missing(None, f"session {row['session']} has no attempt number {number} any more")
