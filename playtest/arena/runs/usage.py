"""Reads what agents' actions used and cost, out of the reasoning that a harness sends with them.

The official harness puts `usage` and `cost` there (arc-agi-3-benchmarking). Whatever has another form counts
as not said: nothing is estimated.
"""

import json
from dataclasses import dataclass, fields
from operator import add, attrgetter
from typing import Any

MOST_TOKENS = 10**9
"""More than this said of one action is not believed."""
MOST_DOLLARS = 10**5
_NANODOLLARS = 10**9


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
        return Usage(*map(add, self.numbers, other.numbers))

    @property
    def numbers(self) -> tuple[int, ...]:
        """All of them in the order of the fields."""
        numbers: tuple[int, ...] = _NUMBERS(self)
        return numbers

    @property
    def cost(self) -> float | None:
        """The total cost in dollars; None if no action said one."""
        return self.total_cost / _NANODOLLARS if self.priced else None

    def as_json(self) -> dict[str, Any]:
        """For pages and files: costs in dollars."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: n / _NANODOLLARS if name.endswith("_cost") else n for name, n in found.items()}


_NUMBERS = attrgetter(*(field.name for field in fields(Usage)))
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


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _tokens(value: Any) -> int | None:
    """A whole number from 0 to MOST_TOKENS; None for anything else."""
    return int(value) if _is_number(value, MOST_TOKENS) and value == int(value) else None


def _cost(value: Any) -> int | None:
    """Dollars from 0 to MOST_DOLLARS in billionths; None for anything else."""
    return round(value * _NANODOLLARS) if _is_number(value, MOST_DOLLARS) else None
