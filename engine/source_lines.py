"""Names a line of an environment's source as its author knows it: by module, where it is packed of several.

A packed source (`engine.play.packing`) has a title above each module. What a module had above its code, its
docstring and imports, is not in it, so its own line number is known only beside the modules
(`engine.play.module_lines`); without them the function says where to look.
"""

from __future__ import annotations

import linecache
import re
from types import FrameType, TracebackType

TITLE = re.compile(r"^# --- (\S+\.py)\r?\n", re.MULTILINE)
"""What stands above a module in a packed source."""
PACKED = re.compile(r"\((?:[^()\s]+\.py, (?:line \d+ of [\w.<>]+, )?)?line (\d+) of the packed source\)")
"""How `told` names a line of a packed source."""

IMPORT = re.compile(r"(?:import|from)\s+(\w+)")
"""The beginning of an import, with the name of the package."""


def line_raised(trace: TracebackType | None) -> str:
    """The last line of a source in a traceback, as `told`; "" if there is none."""
    found = ""
    while trace is not None:
        if is_source(trace.tb_frame.f_code.co_filename):
            found = told(trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    return found


def line_running(frame: FrameType | None) -> tuple[str, str]:
    """The innermost line of a source that runs, as `told`, and its text; twice "" if there is none."""
    while frame is not None:
        name = frame.f_code.co_filename
        if is_source(name):
            return told(frame, frame.f_lineno), linecache.getline(name, frame.f_lineno).strip()
        frame = frame.f_back
    return "", ""


def is_source(name: str) -> bool:
    """Whether a traceback's file is a source: `engine.play.source` names it like "<ls20 …>"."""
    return name.startswith("<") and name in linecache.cache


def told(frame: FrameType, line: int) -> str:
    """A line of a frame in brackets: in a packed source with its module, and the line of its function."""
    code = frame.f_code
    named = code.co_name != "<module>"
    within = f"line {line - code.co_firstlineno + 1} of {code.co_qualname.replace('<locals>.', '')}"
    return told_of_text(code.co_filename, line, within if named else "")


def told_of_text(name: str, line: int, within: str = "") -> str:
    """The same of a line of a source by the source's name."""
    text = "".join(linecache.getlines(name))
    if not TITLE.search(text):
        return f"(line {line})"
    module, _ = place_of(text, line)
    parts = [module, within, f"line {line} of the packed source"]
    return f"({', '.join(filter(None, parts))})"


def place_of(text: str, line: int) -> tuple[str, int]:
    """The module of a line of a packed source, and how many lines from its end it is, itself counted.

    The module is "" above the first.
    """
    lines = text.splitlines()
    titles = [(number, found[1]) for number, one in enumerate(lines, 1) if (found := TITLE.match(f"{one}\n"))]
    module = next((name for number, name in reversed(titles) if number <= line), "")
    end = next((number - 1 for number, _ in titles if number > line), len(lines))
    while end > line and not lines[end - 1]:
        end -= 1
    return module, end - line + 1
