"""Signs the days that are over: one list a day of the heads of all attempts that changed (docs/journal.md).

The key is created on first use in DATA_DIR, or read from RECORD_KEY_FILE. A list's text, digest and signature
are pure.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import batched
from pathlib import Path
from typing import Any, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from playtest.people.models import Withdrawal
from playtest.play.errors import Refusal
from playtest.play.journal.entries import start_of
from playtest.play.models import Attempt, Entry, SignedDay

_NAME = "record_key"


def signing_key() -> Ed25519PrivateKey:
    """The key of this installation. Refusal: record_key_missing, record_key_invalid."""
    path = _path()
    if not path.exists():
        if settings.RECORD_KEY_FILE:
            raise Refusal("record_key_missing", f"RECORD_KEY_FILE names {path}, and no such file exists.")
        _make(path)
    return _read(path)


def public_bytes(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public key."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def trusted_keys() -> set[bytes]:
    """The public keys that are trusted: this installation's, and those of RECORD_PUBLIC_KEYS.

    Makes no key: where there is none yet, nothing was signed here. Refusal: record_key_invalid.
    """
    trusted = {bytes.fromhex(key) for key in settings.RECORD_PUBLIC_KEYS}
    path = _path()
    return trusted | {public_bytes(_read(path).public_key())} if path.exists() else trusted


def _path() -> Path:
    return Path(settings.RECORD_KEY_FILE or settings.DATA_DIR / _NAME)


def _make(path: Path) -> None:
    """Write a new key that only its owner can read; if another process was first, use that key."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    made = path.with_suffix(f".{os.getpid()}")
    made.touch(mode=0o600)
    made.write_bytes(pem)
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(made)
    made.unlink()


def _read(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _invalid(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _invalid(path)
    return key


def _invalid(path: Path) -> Refusal:
    message = (
        f"{path} is not an Ed25519 private key in PEM form. Put the right file there;"
        " no day is signed until then."
    )
    return Refusal("record_key_invalid", message)


FORMAT = "playtest signed day 1"


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
    """One day: the heads that changed, the attempts deleted by a withdrawal, the digest of the day before."""

    day: date
    previous: str
    heads: tuple[Head, ...]
    withdrawn: tuple[int, ...]

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
            }
        )

    @classmethod
    def read(cls, text: str) -> Self:
        """The list in a text. Raises MalformedDay."""
        try:
            said = json.loads(text)
            if said["format"] != FORMAT:
                raise MalformedDay(f"the format is {said['format']!r}")
            heads = tuple(
                Head(int(row[0]), int(row[1]), str(row[2]), str(row[3])) for row in said["attempts"]
            )
            withdrawn = tuple(int(number) for number in said["withdrawn"])
            return cls(date.fromisoformat(said["day"]), str(said["previous"]), heads, withdrawn)
        except (ValueError, TypeError, KeyError, IndexError) as error:
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
