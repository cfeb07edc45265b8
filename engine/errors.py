"""The errors of environments and engine hosts, each with a code and a message.

EngineError
+-- SourceError          an environment that cannot be loaded; names its file and the reason
|     folder_missing, metadata_missing, metadata_invalid, source_missing, source_unreadable,
|     import_failed, no_game_class, construction_failed
+-- ActionError          an action that cannot be performed now; the game is as it was before
|     action_unknown, action_unavailable, coordinates_missing, coordinates_unexpected,
|     coordinates_out_of_range, reset_required (after GAME_OVER), environment_finished (after WIN);
|     in a static task: edit_impossible, input_closed
+-- EnvironmentFault     an environment that misbehaved; its attempt is over
|     environment_raised, deadline_exceeded, memory_exceeded, forbidden_operation, bad_frame,
|     too_many_frames, bad_state, level_revisited, level_not_startable, host_died, diverged,
|     code_replaced (functions of the engine)
+-- PayloadError         bytes that are not encoded frames
|     payload_malformed
+-- RecordingError       a recording that cannot be read
|     recording_malformed, recording_without_actions, recording_too_long
+-- TextError            a file that is no text (engine.texts)
|     text_unreadable
+-- TaskError            a file that is no task (engine.tasks), or what no edit of one says
|     task_too_large, task_malformed, pairs_missing, pairs_too_many, grid_malformed, grid_size,
|     grid_colour; edit_malformed, edit_unknown
+-- HostError            an engine host that cannot serve a request; no environment is to blame
      unknown_game, unknown_source, bad_request, host_full (too little memory is left, which others use)
"""

from __future__ import annotations

import traceback
from typing import Any

from engine.source_lines import is_source, line_raised, told_of_text

FAULT_CODES = (
    *("environment_raised", "deadline_exceeded", "memory_exceeded", "forbidden_operation", "bad_frame"),
    *("too_many_frames", "bad_state", "level_revisited", "level_not_startable", "host_died", "diverged"),
    "code_replaced",
)
"""The codes of EnvironmentFault."""
LONGEST_LINE = 300
LONGEST_MESSAGE = 2_000


class EngineError(Exception):
    """The base class: `code` for programs, `message` for people, `details` for JSON."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """Text of foreign code as one printable line of bounded length."""
    printable = (letter if letter.isprintable() else " " for letter in text[: 2 * longest])
    line = " ".join("".join(printable).split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def describe_exception(error: BaseException) -> str:
    """The type and message of an exception of foreign code, and the line of the source if known."""
    said, where = "".join(traceback.format_exception_only(error)), line_raised(error.__traceback__)
    if isinstance(error, SyntaxError):  # whose format has several lines
        said = f"{type(error).__name__}: {error.msg}"
        where = where or _line_of_syntax(error)
    return one_line(said) + (f" {where}" if where else "")


def _line_of_syntax(error: SyntaxError) -> str:
    if not error.lineno:
        return ""
    name = error.filename or ""
    return told_of_text(name, error.lineno) if is_source(name) else f"(line {error.lineno})"


class SourceError(EngineError):
    """A broken environment. `details["file"]` is the file or folder to look at."""

    def __init__(self, code: str, message: str, *, file: str, **details: Any) -> None:
        super().__init__(code, f"{file}: {message}", file=file, **details)


class ActionError(EngineError):
    """An action that was refused before the environment received it."""


class EnvironmentFault(EngineError):
    """The environment failed, so its attempt ends."""


class PayloadError(EngineError):
    """Encoded frames that cannot be decoded."""


class RecordingError(EngineError):
    """A recording that cannot be read. `details["line"]`, where known, counts from 1."""


class TaskError(EngineError):
    """Text that is no task, or no edit of one. `details["where"]` names the part, if there is one."""


class HostError(EngineError):
    """A request that an engine host cannot serve."""


def memory_exceeded() -> EnvironmentFault:
    """The fault of an environment that reached its memory limit."""
    return EnvironmentFault("memory_exceeded", "The environment asked for more memory than it may have.")
