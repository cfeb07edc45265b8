"""The text of files that people bring: rosters, tables, answers, tasks, recordings, manifests.

A file is UTF-8 with or without a mark, or UTF-16 with its mark, or else Windows-1252. No text has control
characters, controls of the writing direction, or the sign of a letter that was lost: what has one was read or
saved in another encoding, or shows other words than it holds.
"""

from __future__ import annotations

import codecs
import re

from engine.errors import EngineError

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
_FAULTS = {
    "a letter that was lost when the file was saved: save it again as UTF-8": "\ufffd\ud800-\udfff",
    "a control of the writing direction, which shows other words than it holds": "\u202a-\u202e\u2066-\u2069",
    "a control character, which no text has": "\0-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff",
}
_FORBIDDEN = re.compile(f"[{''.join(_FAULTS.values())}]")


class TextError(EngineError):
    """`text_unreadable`: a file is no text; `line`, from 1, is where."""


def decoded(content: bytes) -> str:
    """The text without its mark. Never fails: what no encoding explains is left for `fault_in`."""
    if content.startswith(UTF_16):
        return content.decode("utf-16", "replace")
    if content.startswith(codecs.BOM_UTF8):
        return content.decode("utf-8-sig", "replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1").translate(_WINDOWS)


def fault_in(text: str) -> str:
    """What no text has and this one does, as the end of a sentence; "" for a sound text."""
    found = _FORBIDDEN.search(text)
    if found is None:
        return ""
    return next(fault for fault, letters in _FAULTS.items() if re.match(f"[{letters}]", found[0]))


def text_of(content: bytes) -> str:
    """The text of a file, without its mark. Raises TextError, which names the line."""
    text = decoded(content)
    if found := _FORBIDDEN.search(text):
        line = 1 + len(_LINE_BREAK.findall(text, 0, found.start()))
        raise TextError("text_unreadable", f"Line {line} has {fault_in(found[0])}.", line=line)
    return text
