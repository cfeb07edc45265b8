"""Who needs help in a room of stations: the reasons, worst first, and the order of the stations.

Pure: ages in seconds and measured values come in. Nothing here depends on a second more or less, except at a
threshold: stations keep their places while their reasons stay the same.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import compress
from typing import NamedTuple

from playtest.rules.kinds import Kind


class Need(StrEnum):
    """Why somebody should look at a station, worst first."""

    CALLS = "calls"
    FAULT = "fault"
    SERVER_SILENT = "server_silent"
    CONNECTION_LOST = "connection_lost"
    NO_ACTION = "no_action"
    PAUSED_LONG = "paused_long"
    SLOW = "slow"
    LIMIT_NEAR = "limit_near"
    BREAK_LONG = "break_long"
    SOFT_LIMIT = "soft_limit"

    @property
    def label(self) -> str:
        """The reason as it is written on the station's tile."""
        return _LABELS[self]

    @property
    def urgent(self) -> bool:
        """Whether somebody has to go there now."""
        return self in _URGENT


_LABELS = {
    Need.CALLS: "calls a proctor",
    Need.FAULT: "environment fault",
    Need.SERVER_SILENT: "server does not answer",
    Need.CONNECTION_LOST: "connection lost",
    Need.NO_ACTION: "no action",
    Need.PAUSED_LONG: "paused for long",
    Need.SLOW: "slow connection",
    Need.LIMIT_NEAR: "time nearly over",
    Need.BREAK_LONG: "long break",
    Need.SOFT_LIMIT: "soft limit reached",
}
_URGENT = frozenset({Need.CALLS, Need.FAULT, Need.SERVER_SILENT, Need.CONNECTION_LOST})
_RANKS = {need: rank for rank, need in enumerate(Need)}
_NO_NEED = len(_RANKS)


LOST_SECONDS = 3.0
SILENT_SECONDS = 5.0
NO_ACTION_SECONDS = 120.0
NO_EDIT_SECONDS = 360.0
"""At a static task people think before they draw: it takes them minutes to see the rule."""
PAUSED_SECONDS = 600.0
BREAK_SECONDS = 300.0
NEAR_SECONDS = 120.0
SLOW_ROUND_TRIP_MS = 300


class Condition(NamedTuple):
    """What is known of one station. Each age is in seconds, and None where it does not apply.

    `disconnected`, `server_silent`: since the page, or its server, was last heard. `without_action`: since
    the last action or the first frame, of somebody who could act, in an environment of this `kind`.
    `on_break`: since the last environment ended. `seconds_left`: until the environment is cut off.
    """

    called: float | None = None
    fault: bool = False
    server_silent: float | None = None
    disconnected: float | None = None
    without_action: float | None = None
    kind: Kind | None = None
    paused: float | None = None
    on_break: float | None = None
    seconds_left: float | None = None
    round_trip_ms: int | None = None
    soft_limit_reached: bool = False


def needs(condition: Condition) -> list[Need]:
    """Why somebody should look at this station, worst first; empty if there is no reason."""
    is_paused = condition.paused is not None
    is_silent = _reached(condition.server_silent, SILENT_SECONDS)
    left = condition.seconds_left
    idle_seconds = NO_EDIT_SECONDS if condition.kind is Kind.TASK else NO_ACTION_SECONDS
    holds = (  # in the order of Need
        condition.called is not None,
        condition.fault,
        is_silent,
        not is_silent and _reached(condition.disconnected, LOST_SECONDS),
        not is_paused and _reached(condition.without_action, idle_seconds),
        _reached(condition.paused, PAUSED_SECONDS),
        _reached(condition.round_trip_ms, SLOW_ROUND_TRIP_MS),
        not is_paused and left is not None and left <= NEAR_SECONDS,
        not is_paused and _reached(condition.on_break, BREAK_SECONDS),
        condition.soft_limit_reached,
    )
    return list(compress(Need, holds)) if any(holds) else []


def rank(found: Sequence[Need]) -> int:
    """The place of a station among others by its worst reason; 0 is worst."""
    return min((_RANKS[need] for need in found), default=_NO_NEED)


def _reached(value: float | None, threshold: float) -> bool:
    return value is not None and value >= threshold
