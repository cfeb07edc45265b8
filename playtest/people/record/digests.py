"""The digests of the record's rows and links (docs/journal.md). Pure, but for the server's key."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from playtest.rules import pay as amounts

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SALT = "playtest.record"


def form_of(columns: Iterable[str]) -> str:
    """Names a choice of columns: 16 hexadecimal digits."""
    return sha256(",".join(columns).encode()).hexdigest()[:16]


def row_digest(table: str, row: int, columns: Sequence[str], values: Sequence[Any]) -> bytes:
    """The digest of a row with these values of its columns, 32 bytes."""
    stated = dict(zip(columns, map(plain, values), strict=True))
    text = json.dumps(["row 1", table, row, stated], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).digest()


def plain(value: Any) -> Any:
    """A value of a column as JSON; the same on both databases. TypeError: a type that no column has."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, (bool, int, float, str, dict, list)):
        return value
    if isinstance(value, datetime):
        return microseconds(value)
    if isinstance(value, timedelta):
        return value // _MICROSECOND
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(amounts.plain(value), "f")
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"a column of the record has the type {type(value).__name__}")


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def link_line(table: str, row: int, kind: str, form: str, digest: bytes, note: str, at: datetime) -> str:
    """What a link says, as the line that the chain and the server's own mark are computed of."""
    return f"link 1|{table}|{row}|{kind}|{form}|{digest.hex()}|{note}|{microseconds(at)}"


def chain_start(table: str) -> bytes:
    """The value that a table's chain begins from."""
    return sha256(f"links 1|{table}".encode()).digest()


def chain_after(last: bytes, line: str) -> bytes:
    """The chain's value after one more link."""
    return sha256(last + line.encode()).digest()


def mark(line: str) -> bytes:
    """The server's own mark of a link, which nobody without SECRET_KEY can make; 32 bytes."""
    return salted_hmac(_SALT, line, algorithm="sha256").digest()


def is_marked(line: str, found: bytes) -> bool:
    """Whether a link has the mark of this server, or of one of its earlier keys."""
    return any(
        constant_time_compare(salted_hmac(_SALT, line, key, algorithm="sha256").digest(), found)
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
