"""The signed list of one day, as docs/journal.md defines it: its text, its digest and its signature. Pure."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

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
