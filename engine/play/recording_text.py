"""The text of recordings: JSON lines, a whole JSON document, steps or a list of actions.

The grids of a line are most of it: they are read from its bytes, not by the JSON parser.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from engine.errors import RecordingError
from engine.play.frames import Frame
from engine.texts import UTF_16, TextError, decoded, text_of


def malformed(number: int, reason: str) -> RecordingError:
    """The error of a line, from 1, that cannot be read."""
    return RecordingError("recording_malformed", f"Line {number} cannot be read: {reason}.", line=number)


def values_of(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Any]]:
    """The values of a file with their lines. A whole JSON document over several lines is one, too."""
    lines = iter(lines)
    first = next(lines, "")
    if isinstance(first, bytes) and first.startswith(UTF_16):  # its lines do not end where those of bytes do
        lines = iter(decoded(b"".join([first, *map(_bytes, lines)])).splitlines())
    else:
        lines = chain([first], lines)
    rest = enumerate(lines, start=1)
    for number, line in rest:
        text = line.strip().removeprefix("\ufeff") if isinstance(line, str) else _stripped(line, number)
        if not text:
            continue
        try:
            value = _value(text)
        except ValueError as error:
            if number > 1 or not isinstance(text, str) or text[0] not in "[{":
                raise malformed(number, f"it is not JSON: {error}") from error
            value = _document(text, rest, error)
        if isinstance(value, Mapping) and (steps := _steps(value)):
            shared = {name: value[name] for name in ("game_id", "guid") if name in value}
            yield from ((number, {**shared, **step}) for step in steps)
        elif isinstance(value, list) and all(isinstance(item, (int, str, dict)) for item in value):
            yield from ((number, item) for item in value)
        else:
            yield number, value


def _steps(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps, or the actions in a result of the official LLM harness, of a document that has such."""
    given = value.get("steps", value.get("actions"))
    steps = given if isinstance(given, list) else []
    return [step for step in steps if isinstance(step, Mapping)]


def _bytes(line: str | bytes) -> bytes:
    return line.encode() if isinstance(line, str) else line


def _stripped(line: bytes, number: int) -> str | bytes:
    """A line of bytes, as text unless its frames can be read from the bytes (`_value`)."""
    if line[:1] == b"\x80":
        message = "This is a Python pickle, which can run code when it is read: it is not read. Export JSON."
        raise RecordingError("recording_is_pickle", message)
    if not line.isascii():
        try:
            line = text_of(line).encode()
        except TextError as error:
            message = error.message.replace("Line 1", f"Line {number}", 1)
            raise RecordingError(error.code, message, line=number) from error
    line = line.strip()
    return line if line.count(_FRAME) == 1 else line.decode()


def _document(text: str, rest: Iterator[tuple[int, str | bytes]], error: ValueError) -> Any:
    whole = "\n".join([text, *(line if isinstance(line, str) else decoded(line) for _, line in rest)])
    try:
        return json.loads(whole)
    except ValueError:
        raise malformed(1, f"it is not JSON: {error}") from error


_FRAME = b'"frame"'
_NINE, _ZERO, _COMMA = ord("9"), ord("0"), ord(",")


def _value(text: str | bytes) -> Any:
    """The value of a line. The grids of `frame` are read from its bytes, ten times as fast as from JSON."""
    if isinstance(text, str):
        return json.loads(text)
    begin = text.find(b"[", text.index(_FRAME))
    end = text.find(b"]]]", begin) + 3
    grids = _grids(text[begin:end]) if 0 < begin < end else None
    if grids is None:
        return json.loads(text)
    value = json.loads(text[:begin] + b"null" + text[end:])
    data = value.get("data", value) if isinstance(value, dict) else None
    if not isinstance(data, dict) or data.get("frame", 0) is not None:
        return json.loads(text)
    data["frame"] = grids
    return value


def _grids(text: bytes) -> list[Frame] | None:
    """The grids in the JSON of a list of them; None for anything but plain lists of numbers of two digits."""
    cells = text.translate(None, b"[] \t")
    digits = np.frombuffer(cells, dtype=np.uint8)
    commas = np.append(np.flatnonzero(digits == _COMMA), len(digits))
    count, rest = divmod(len(commas), 64 * 64)
    if rest or text.count(b"[") != 1 + 65 * count or not text.startswith(b"[[["):
        return None
    lengths = np.diff(commas, prepend=-1) - 1
    valid = (digits == _COMMA) | ((digits >= _ZERO) & (digits <= _NINE))
    if not valid.all() or lengths.min() < 1 or lengths.max() > 2:
        return None
    numbers = digits[commas - 1] - _ZERO
    tens = lengths == 2
    numbers[tens] += 10 * (digits[commas[tens] - 2] - _ZERO)
    return list(numbers.reshape(count, 64, 64))
