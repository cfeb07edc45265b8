"""Frozen values as JSON documents and back: canonical text, digest, and a strict reader."""

import json
import math
from dataclasses import Field, field, fields, is_dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from hashlib import sha256
from typing import Any, get_args, get_origin, get_type_hints

from playtest.rules.errors import RuleError
from playtest.rules.pay import plain


def added[T](default: T, **limits: Any) -> T:
    """A field that older documents do not have: with its default it is not in the document.

    The default is what held before there was the field, so that older documents mean what they meant, and
    keep their digests. `limits` are what else its metadata say.
    """
    made: T = field(default=default, metadata={_ADDED: True, **limits})
    return made


def document_of(value: Any) -> Any:
    """JSON types for a value made of dataclasses, tuples, text, numbers, truth values and amounts.

    An amount (`Decimal`) is text with two digits after the point, or three where it needs them. A
    whole number has no decimal point, so that equal values have equal documents.
    """
    if is_dataclass(value):
        stored = [each for each in fields(value) if not _has_its_default(each, value)]
        return {each.name: document_of(getattr(value, each.name)) for each in stored}
    if isinstance(value, tuple):
        return [document_of(item) for item in value]
    if isinstance(value, Decimal):
        return str(plain(value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def canonical(document: Any) -> str:
    """The only text that stands for this document: names sorted, no spaces, no escaped letters."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(document: Any) -> str:
    """SHA-256 of the canonical text in UTF-8, as 64 hexadecimal digits."""
    return sha256(canonical(document).encode()).hexdigest()


def value_of[T](kind: type[T], document: object) -> T:
    """Reads a dataclass from the document that `document_of` made of it.

    Raises RuleError protocol_malformed where a name is missing or unknown, or a value has another type; the
    dataclasses raise their own errors.
    """
    made: T = _read(kind, document, "protocol")
    return made


_ADDED = "added"


def _has_its_default(each: Field[Any], value: Any) -> bool:
    """Whether this is an added field with its default."""
    return _ADDED in each.metadata and getattr(value, each.name) == each.default


def _read(kind: Any, document: Any, path: str) -> Any:
    if is_dataclass(kind):
        return _dataclass(kind, document, path)
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind), document, path)
    if kind is Decimal:
        return _amount(document, path)
    if kind is float:
        _expect(_is_number(document), path, "a number")
        return float(document)
    if kind is bool:
        _expect(isinstance(document, bool), path, "true or false")
        return document
    if kind is int:
        _expect(isinstance(document, int) and not isinstance(document, bool), path, "a whole number")
        return document
    _expect(isinstance(document, str), path, "text")
    return document


def _dataclass(kind: Any, document: Any, path: str) -> Any:
    kinds, needed = _shape(kind)
    _expect(isinstance(document, dict), path, "an object")
    if wrong := sorted((needed - set(document)) | (set(document) - kinds.keys())):
        problem = "is missing in" if wrong[0] in kinds else "is unknown in"
        raise RuleError("protocol_malformed", f"{wrong[0]!r} {problem} {path}.")
    return kind(**{name: _read(kinds[name], document[name], f"{path}.{name}") for name in document})


@cache
def _shape(kind: Any) -> tuple[dict[str, Any], set[str]]:
    """The kinds of its fields by name, and which of them a document must have."""
    hints, found = get_type_hints(kind), fields(kind)
    return {each.name: hints[each.name] for each in found}, {
        each.name for each in found if _ADDED not in each.metadata
    }


def _tuple(kinds: tuple[Any, ...], document: Any, path: str) -> tuple[Any, ...]:
    _expect(isinstance(document, list), path, "a list")
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(document)
    _expect(len(document) == len(kinds), path, f"a list of {len(kinds)}")
    pairs = zip(kinds, document, strict=True)
    return tuple(_read(kind, item, f"{path}[{place}]") for place, (kind, item) in enumerate(pairs))


def _amount(document: Any, path: str) -> Decimal:
    _expect(isinstance(document, str), path, "an amount as text")
    try:
        return Decimal(document)
    except InvalidOperation as error:
        raise RuleError("protocol_malformed", f"{path} must be an amount such as 5.00.") from error


def _is_number(document: Any) -> bool:
    return isinstance(document, int | float) and not isinstance(document, bool) and math.isfinite(document)


def _expect(right: bool, path: str, noun: str) -> None:
    if not right:
        raise RuleError("protocol_malformed", f"{path} must be {noun}.")
