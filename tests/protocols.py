"""Protocols for tests: another one with a few of its values changed."""

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from playtest.rules.effort.thresholds import thresholds
from playtest.rules.protocol import DEFAULT, Protocol

_PARTS = ("limits", "attempt", "acceptance", "pay", "tasks")


def prescribed(protocol: Protocol = DEFAULT, **changes: Any) -> Protocol:
    """The protocol with these values, named as in its parts: `prescribed(soft_seconds=60, people=3)`.

    `away_seconds` is how long a lost connection is excused; `effort` are the thresholds that differ from the
    default ones, by name.
    """
    made: dict[str, Any] = {}
    for part in _PARTS:
        before = getattr(protocol, part)
        of_part = {each.name: changes.pop(each.name) for each in fields(before) if each.name in changes}
        amounts = {name: Decimal(value) for name, value in of_part.items()} if part == "pay" else of_part
        made[part] = replace(before, **amounts)
    if "away_seconds" in changes:
        made["away"] = replace(protocol.away, seconds=changes.pop("away_seconds"))
    if "effort" in changes:
        made["effort"] = replace(protocol.effort, thresholds=thresholds(changes.pop("effort")))
    return replace(protocol, **made, **changes)
