"""Signs the days that are over: one list a day of the heads of all attempts that changed (docs/journal.md).

A list has the heads of the record's other tables, too. A list's text, digest and signature are pure.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import batched
from typing import Any, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from playtest.people.models import Withdrawal
from playtest.people.record.signing import ForgedLink, Heads, first_unplaced, place_links
from playtest.play.errors import Refusal
from playtest.play.journal import signer
from playtest.play.journal.entries import start_of
from playtest.play.journal.signer import public_bytes, signing_key, trusted_keys
from playtest.play.models import Attempt, Entry, SignedDay

FORMAT = "playtest signed day 2"
_EARLIER = "playtest signed day 1"
"""Lists without the heads of tables; their signer remembered nothing."""


class MalformedDay(ValueError):
    """A text that is not the list of a day."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of an attempt: its number of entries, its last chain value, its seal once it has ended.

    `chain` and `seal` are hexadecimal; `seal` is empty while the attempt was open. Without entries `chain` is
    the value that the chain begins from.
    """

    attempt: int
    entries: int
    chain: str
    seal: str


@dataclass(frozen=True, slots=True)
class DayList:
    """One day: the heads that changed, the attempts deleted by a withdrawal, the digest of the day before.

    `tables` are the heads of those tables to which something was written.
    """

    day: date
    previous: str
    heads: tuple[Head, ...]
    withdrawn: tuple[int, ...]
    tables: Heads = field(default_factory=dict)
    format: str = FORMAT

    def text(self) -> str:
        """The text that is signed."""
        heads = [[head.attempt, head.entries, head.chain, head.seal] for head in self.heads]
        return json.dumps(
            {
                "format": FORMAT,
                "day": self.day.isoformat(),
                "previous": self.previous,
                "attempts": heads,
                "withdrawn": list(self.withdrawn),
                "tables": self.tables,
            }
        )

    @classmethod
    def read(cls, text: str) -> Self:
        """The list in a text. Raises MalformedDay."""
        try:
            said = json.loads(text)
            if said["format"] not in (FORMAT, _EARLIER):
                raise MalformedDay(f"the format is {said['format']!r}")
            heads = tuple(
                Head(int(row[0]), int(row[1]), str(row[2]), str(row[3])) for row in said["attempts"]
            )
            withdrawn = tuple(int(number) for number in said["withdrawn"])
            tables = {str(name): (int(row[0]), str(row[1])) for name, row in said.get("tables", {}).items()}
            day = date.fromisoformat(said["day"])
            return cls(day, str(said["previous"]), heads, withdrawn, tables, str(said["format"]))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise MalformedDay(str(error)) from error


def digest_of(text: str) -> str:
    """SHA-256 of a day's text, hexadecimal: what the next day names as `previous`."""
    return sha256(text.encode()).hexdigest()


def sign(text: str, key: Ed25519PrivateKey) -> bytes:
    """The signature of a text, 64 bytes."""
    return key.sign(text.encode())


def is_signed(text: str, signature: bytes, public_key: bytes) -> bool:
    """Whether the signature is of this text by this key; False for bytes that are not a key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def newest_heads(days: Iterable[DayList]) -> dict[int, Head]:
    """The newest listed head of each attempt."""
    return {head.attempt: head for day in days for head in day.heads}


_A_DAY = timedelta(days=1)
_ATTEMPTS_AT_ONCE = 500
_AFTER_MIDNIGHT = timedelta(minutes=10)
"""An action of the last second may still be on its way to the journal."""


def sign_days(moment: datetime) -> list[SignedDay]:
    """Sign every day that is over at `moment` and on which something happened; returns the days signed now.

    Idempotent, and safe beside another process that does the same. What enters the journal later with an
    earlier time is in the next list. Refusal: as `signer.signing_key`; record_shorter, record_replaced,
    memory_missing (`broken_off`); link_forged.
    """
    known = list(SignedDay.objects.order_by("day"))
    if refusal := broken_off(known):
        raise refusal
    lists = [DayList.read(day.document) for day in known]
    listed = newest_heads(lists)
    gone = {attempt for one in lists for attempt in one.withdrawn}
    signed: list[SignedDay] = []
    previous = known[-1] if known else None
    last_known = (previous.day, digest_of(previous.document)) if previous else (None, "")
    unsealed = _unsealed(listed)
    for day in _days(previous, [*unsealed.values(), *_withdrawals(), *_unplaced()], moment):
        end = datetime.combine(day + _A_DAY, time(), UTC)
        heads = tuple(_changed(sorted(unsealed), listed, end))
        withdrawn = tuple(sorted(_withdrawn(end) - gone))
        try:
            signer.remember(*last_known)  # before: whoever cannot remember does not sign
            with transaction.atomic():
                tables = place_links(end)
                if not heads and not withdrawn and not tables:
                    continue
                content = DayList(day, previous.digest if previous else "", heads, withdrawn, tables)
                previous = _store(content, moment)
        except IntegrityError:
            break  # another process signs them
        except ForgedLink as error:
            raise Refusal(
                "link_forged", f"{error} No day is signed until manage.py audit is clean."
            ) from error
        last_known = day, previous.digest
        signer.remember(*last_known)
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


def _unplaced() -> Iterator[datetime]:
    if (found := first_unplaced()) is not None:
        yield found


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


def _store(content: DayList, moment: datetime) -> SignedDay:
    """Sign a list and store it. IntegrityError: another process has signed this day."""
    key, text = signing_key(), content.text()
    return SignedDay.objects.create(
        day=content.day,
        document=text,
        digest=digest_of(text),
        signature=sign(text, key),
        public_key=public_bytes(key.public_key()),
        signed_at=moment,
    )


def broken_off(known: list[SignedDay]) -> Refusal | None:
    """Why the signer must not go on: these days are not what it signed last and what followed that.

    Codes: record_shorter (the day that it signed last is gone), record_replaced (that day has another list,
    or a later one is not signed with a trusted key), memory_missing (it remembers nothing, and should).
    """
    memory = signer.recall()
    if memory is None:
        if not known or f'"{_EARLIER}"' in known[-1].document:
            return None
        message = f"{signer.memory_path()} is gone: restore it, or accept the record: {_ACCEPT}"
        return Refusal("memory_missing", message)
    days = {day.day: day for day in known}
    last = days.get(memory.day) if memory.day else None
    if memory.day and last is None:
        message = f"The list of {memory.day} was signed and is gone. After a restore: {_ACCEPT}"
        return Refusal("record_shorter", message)
    if last is not None and digest_of(last.document) != memory.digest:
        return Refusal("record_replaced", f"The list of {memory.day} is another one than was signed.")
    trusted = trusted_keys()
    for day in known:
        valid = is_signed(day.document, bytes(day.signature), bytes(day.public_key))
        later = memory.day is None or day.day > memory.day
        if later and not (valid and bytes(day.public_key) in trusted):
            return Refusal("record_replaced", f"The list of {day.day} was not signed here.")
    return None


_ACCEPT = "manage.py signed_days --accept"


def accept_record() -> SignedDay | None:
    """The signer goes on from what the record has now, as after a restore; the last signed day, if any."""
    last = SignedDay.objects.order_by("-day").first()
    signer.remember(*((last.day, digest_of(last.document)) if last else (None, "")))
    return last
