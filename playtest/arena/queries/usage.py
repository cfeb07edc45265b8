"""Reads what agents' actions used and cost, out of the reasoning that a harness sends with them.

The official harness puts `usage` and `cost` there (arc-agi-3-benchmarking). Whatever has another form counts
as not said: nothing is estimated.
"""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import batched
from typing import Any

from playtest.arena.models import Play
from playtest.play.models import AgentNote, Entry

MOST_TOKENS = 10**9
"""More than this said of one action is not believed."""
MOST_DOLLARS = 10**5
_NANODOLLARS = 10**9
_ATTEMPTS_READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and costs of `actions` that said any, `priced` of which said a cost; a sum by `+`.

    Costs are whole billionths of a dollar, so that a sum does not depend on the order of its parts.
    `cached_tokens` are part of `input_tokens`, and `reasoning_tokens` of `output_tokens`.
    """

    actions: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    total_tokens: int = 0
    input_cost: int = 0
    output_cost: int = 0
    total_cost: int = 0
    priced: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        names = (field.name for field in fields(self))
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def cost(self) -> float | None:
        """The total cost in dollars; None if no action said one."""
        return self.total_cost / _NANODOLLARS if self.priced else None

    def as_json(self) -> dict[str, Any]:
        """For pages and files: costs in dollars."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: n / _NANODOLLARS if name.endswith("_cost") else n for name, n in found.items()}


NO_USAGE = Usage()


def reasoning_of(text: str) -> Any:
    """The JSON value that an agent sent as its reasoning; the text itself if it is none.

    The official client sends JSON as a string within JSON: that is read as well.
    """
    found: Any = text
    for _ in range(2):
        if not isinstance(found, str):
            break
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            break
    return found


def usage_in(reasoning: str) -> Usage:
    """What one action says that it used; NO_USAGE if it says nothing that can be read.

    A total that is not said is the sum of its parts.
    """
    said = _object(reasoning_of(reasoning))
    usage, cost = _object(said.get("usage")), _object(said.get("cost"))
    into, out = _tokens(usage.get("input_tokens")), _tokens(usage.get("output_tokens"))
    total = _tokens(usage.get("total_tokens"))
    into_cost, out_cost = _cost(cost.get("input_cost")), _cost(cost.get("output_cost"))
    total_cost = _cost(cost.get("total_cost"))
    priced = any(said is not None for said in (into_cost, out_cost, total_cost))
    if not priced and all(said is None for said in (into, out, total)):
        return NO_USAGE
    return Usage(
        1,
        into or 0,
        _tokens(_object(usage.get("input_tokens_details")).get("cached_tokens")) or 0,
        out or 0,
        _tokens(_object(usage.get("output_tokens_details")).get("reasoning_tokens")) or 0,
        (into or 0) + (out or 0) if total is None else total,
        into_cost or 0,
        out_cost or 0,
        (into_cost or 0) + (out_cost or 0) if total_cost is None else total_cost,
        int(priced),
    )


def usage_by_level(attempt: int) -> dict[int, Usage]:
    """What the actions of an attempt used, by the level on which they were made, where any says it."""
    levels = dict(Entry.objects.filter(attempt=attempt).values_list("seq", "level"))
    found: dict[int, Usage] = {}
    for _, seq, usage in _said([attempt]):
        found[levels[seq]] = found.get(levels[seq], NO_USAGE) + usage
    return found


def usage_of(attempts: Iterable[int]) -> dict[int, Usage]:
    """What each of these attempts (primary keys) used in all; NO_USAGE if its actions say nothing."""
    found = dict.fromkeys(attempts, NO_USAGE)
    for attempt, _, usage in _said(found):
        found[attempt] += usage
    return found


def usage_of_cards(cards: Collection[int]) -> dict[int, Usage]:
    """What the runs of each card (primary keys) used in all; absent if they have no attempt."""
    return _of_groups(dict(Play.objects.filter(run__card__in=cards).values_list("attempt", "run__card__pk")))


def usage_of_environments(environments: Collection[int]) -> dict[int, Usage]:
    """What all runs of each environment used; absent if there are none."""
    runs = Play.objects.filter(run__environment__in=environments)
    return _of_groups(dict(runs.values_list("attempt", "run__environment")))


def _of_groups(groups: Mapping[int, int]) -> dict[int, Usage]:
    """The sums by group, from the group of each attempt."""
    found: dict[int, Usage] = {}
    for attempt, usage in usage_of(groups).items():
        group = groups[attempt]
        found[group] = found.get(group, NO_USAGE) + usage
    return found


def _said(attempts: Iterable[int]) -> Iterator[tuple[int, int, Usage]]:
    """Attempt, seq and usage of every action that says any."""
    for part in batched(attempts, _ATTEMPTS_READ_AT_ONCE):
        notes = AgentNote.objects.filter(attempt__in=part).exclude(reasoning="")
        for attempt, seq, text in notes.values_list("attempt", "seq", "reasoning").iterator():
            if (usage := usage_in(text)).actions:
                yield attempt, seq, usage


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _tokens(value: Any) -> int | None:
    """A whole number from 0 to MOST_TOKENS; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOKENS:
        return None
    return int(value) if value == int(value) else None


def _cost(value: Any) -> int | None:
    """Dollars from 0 to MOST_DOLLARS in billionths; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return round(value * _NANODOLLARS) if 0 <= value <= MOST_DOLLARS else None
