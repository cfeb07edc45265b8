"""Reads the fields of a request's JSON, each with the reason if it is wrong."""

import json
import re
import uuid
from typing import Any

from playtest.arena.api.errors import invalid

MOST_STORED_BYTES = 16 * 1024
"""The most bytes of `opaque` and of `reasoning`, as compact JSON in ASCII."""
LONGEST_REQUEST_KEY = 64
_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")


def text(data: dict[str, Any], name: str, most: int = 500) -> str | None:
    """A string, None if it is missing or null."""
    value = data.get(name)
    if value is None:
        return None
    if type(value) is not str or len(value) > most or not storable(value):
        raise invalid(f"`{name}` must be a string of at most {most} characters.")
    return value


def required_text(data: dict[str, Any], name: str) -> str:
    """A string that must be given."""
    value = text(data, name)
    if not value:
        raise invalid(f"missing `{name}`")
    return value


def flag(data: dict[str, Any], name: str) -> bool:
    """A boolean, false if it is missing or null."""
    value = data.get(name)
    if value is not None and type(value) is not bool:
        raise invalid(f"`{name}` must be true or false.")
    return bool(value)


def texts(data: dict[str, Any], name: str) -> list[str]:
    """A list of at most 100 strings of at most 200 characters, empty if it is missing or null."""
    value = data.get(name)
    if value is None:
        return []
    if type(value) is not list or len(value) > 100:
        raise invalid(f"`{name}` must be a list of at most 100 strings.")
    if not all(type(one) is str and len(one) <= 200 and storable(one) for one in value):
        raise invalid(f"`{name}` must hold strings of at most 200 characters.")
    return value


def cell(data: dict[str, Any]) -> tuple[int, int]:
    """The x and y of ACTION6."""
    for name in ("x", "y"):
        value = data.get(name)
        if value is None:
            raise invalid(f"ACTION6 needs `x` and `y`: `{name}` is missing.")
        if type(value) is not int or not 0 <= value <= 63:
            raise invalid(f"`{name}` must be a whole number from 0 to 63.")
    return data["x"], data["y"]


def stored_json(data: dict[str, Any], name: str) -> tuple[Any, str]:
    """Any JSON of at most 16 KiB, and its compact text; None and "" if it is missing or null."""
    value = data.get(name)
    if value is None:
        return None, ""
    try:
        dumped = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise invalid(f"`{name}` must be JSON with finite numbers.") from error
    if len(dumped) > MOST_STORED_BYTES:
        raise invalid(
            f"`{name}` has {len(dumped):,} bytes of JSON; at most {MOST_STORED_BYTES:,} are stored."
        )
    return value, dumped


def opaque(data: dict[str, Any]) -> Any:
    """What an agent stores with a card."""
    value, _ = stored_json(data, "opaque")
    try:
        if storable(value):
            return value
    except RecursionError:
        pass
    raise invalid("`opaque` must not contain NUL or half of a surrogate pair, or be nested deeply.")


def object_in_text(value: Any, dumped: str) -> str:
    """The compact JSON to store for `reasoning`: the official client sends its object as a string."""
    if type(value) is str:
        try:
            inner = json.loads(value)
            if type(inner) in (dict, list):
                return json.dumps(inner, separators=(",", ":"), allow_nan=False)
        except (ValueError, RecursionError):
            pass
    return dumped


def request_key(headers: Any) -> str:
    """The Idempotency-Key, "" without one."""
    value: str = headers.get("idempotency-key", "")
    if len(value) > LONGEST_REQUEST_KEY or not value.isascii() or not value.isprintable():
        raise invalid(f"An Idempotency-Key has at most {LONGEST_REQUEST_KEY} printable ASCII characters.")
    return value


def repeatable_id(owner: object, key: str) -> uuid.UUID | None:
    """The same id for the same owner and Idempotency-Key, so that a repeated request makes one thing."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{owner}/{key}") if key else None


def storable(value: Any) -> bool:
    """Whether both databases store this JSON: no NUL and no half of a surrogate pair in a string."""
    match value:
        case str():
            return _NOT_STORABLE.search(value) is None
        case list():
            return all(map(storable, value))
        case dict():
            return all(storable(name) and storable(one) for name, one in value.items())
    return True
