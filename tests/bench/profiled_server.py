"""`playtest.serve` that says in which files its threads spend their processor time.

SIGUSR2 begins and SIGUSR2 ends it. Then $PROFILE holds JSON: calls and seconds by file. A call into C, or of
the system, counts for the file that made it. To measure a call costs about as much as a short call.
"""

import json
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import CodeType
from typing import Any

from playtest.serve.web import main

_TOOL = sys.monitoring.PROFILER_ID
_EVENTS = sys.monitoring.events
_ENTERED = (_EVENTS.PY_START, _EVENTS.PY_RESUME, _EVENTS.PY_THROW)
_LEFT = (_EVENTS.PY_RETURN, _EVENTS.PY_YIELD, _EVENTS.PY_UNWIND)

_seen: list[tuple[int, str | None, int]] = []


def _entered(code: CodeType, *_: Any) -> None:
    _seen.append((threading.get_ident(), code.co_filename, time.thread_time_ns()))


def _left(*_: Any) -> None:
    _seen.append((threading.get_ident(), None, time.thread_time_ns()))


def _switch(*_: Any) -> None:
    if sys.monitoring.get_tool(_TOOL) is None:
        sys.monitoring.use_tool_id(_TOOL, "files")
        for event in (*_ENTERED, *_LEFT):
            sys.monitoring.register_callback(_TOOL, event, _entered if event in _ENTERED else _left)
        sys.monitoring.set_events(_TOOL, sum((*_ENTERED, *_LEFT)))
    else:
        sys.monitoring.set_events(_TOOL, 0)
        written = Path(os.environ["PROFILE"])
        written.with_suffix(".part").write_text(json.dumps(_by_file()))
        written.with_suffix(".part").rename(written)


def _by_file() -> dict[str, tuple[int, float]]:
    """Calls and seconds by file."""
    calls: dict[str, int] = defaultdict(int)
    seconds: dict[str, float] = defaultdict(float)
    inside: dict[int, list[str]] = defaultdict(list)
    before: dict[int, int] = {}
    for thread, file, at in _seen:
        stack = inside[thread]
        if stack:
            seconds[stack[-1]] += (at - before[thread]) / 1e9
        before[thread] = at
        if file is not None:
            calls[file] += 1
            stack.append(file)
        elif stack:
            stack.pop()
    return {file: (count, seconds[file]) for file, count in calls.items()}


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, _switch)
    sys.exit(main())
