"""The code of sources: a process compiles each once, or is given what another process has compiled.

Marshalled code may do anything to the process that reads it. So only what was compiled in a process that has
run no source is ever handed on, and only to the hosts of that source (`playtest.play.hosts.ahead`).
"""

from __future__ import annotations

import linecache
import marshal
from functools import lru_cache
from types import CodeType

MOST_BYTES = 2 * 1024 * 1024
"""Of marshalled code: what is larger is compiled where it is needed."""

_given: dict[tuple[str, str], CodeType] = {}


def code_of(text: str, name: str) -> CodeType:
    """The code of a source whose lines tracebacks show under `name`. Raises what `compile` raises."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return _given.get((text, name)) or _compiled(text, name)


def marshalled(text: str, name: str) -> bytes:
    """The code as bytes for `give`; b"" if it cannot be compiled or is too large."""
    try:
        data = marshal.dumps(code_of(text, name))
    except Exception:  # whoever plays it compiles it again, and says what is wrong
        return b""
    return data if len(data) <= MOST_BYTES else b""


def give(text: str, name: str, data: bytes) -> None:
    """Uses what `marshalled` returned for the same text and name, instead of compiling it."""
    _given[text, name] = marshal.loads(data)


@lru_cache(maxsize=256)
def _compiled(text: str, name: str) -> CodeType:
    return compile(text.removeprefix("\ufeff"), name, "exec", dont_inherit=True)
