"""Tokens and dollars, and the note about them that is stored beside an action."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playtest.arena.agents.client import MOST_REASONING_BYTES

_MILLION = 1_000_000
_CUT = " […] "


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several replies. Cached ones are among the input, those of reasoning in the output."""

    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    @classmethod
    def of_answer(cls, usage: Any) -> "Usage":
        """From the `usage` of a chat completion. What it leaves out counts as 0."""
        return cls(
            input=_count(usage, "prompt_tokens"),
            cached=_count(usage, "prompt_tokens_details", "cached_tokens"),
            output=_count(usage, "completion_tokens"),
            reasoning=_count(usage, "completion_tokens_details", "reasoning_tokens"),
        )

    def as_json(self) -> dict[str, Any]:
        """As the official harness writes it (arc-agi-3-benchmarking)."""
        return {
            "input_tokens": self.input,
            "input_tokens_details": {"cached_tokens": self.cached},
            "output_tokens": self.output,
            "output_tokens_details": {"reasoning_tokens": self.reasoning},
            "total_tokens": self.input + self.output,
        }


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for a million tokens. Cached input costs as much as other input unless `cached` says less."""

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None

    def cost(self, usage: Usage) -> dict[str, float]:
        """`input_cost`, `output_cost` and `total_cost` in dollars."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(usage.input - usage.cached, 0)
        taken = (fresh * self.input + usage.cached * cached) / _MILLION
        made = usage.output * self.output / _MILLION
        return {"input_cost": taken, "output_cost": made, "total_cost": taken + made}


def note(
    output: str, reasoning: str, usage: Usage, cost: Mapping[str, float], most: int = MOST_REASONING_BYTES
) -> dict[str, Any]:
    """`{output, reasoning, usage, cost}`, at most `most` bytes as JSON: texts too long lose their middle."""
    numbers = {"usage": usage.as_json(), "cost": dict(cost)}
    longest = max(len(output), len(reasoning))
    made: dict[str, Any] = {"output": output, "reasoning": reasoning, **numbers}
    while len(json.dumps(made).encode()) > most and longest:
        longest = longest * 3 // 4
        made = {"output": _shortened(output, longest), "reasoning": _shortened(reasoning, longest), **numbers}
    return made


def _shortened(text: str, longest: int) -> str:
    """Both ends of the text: the action is at its end."""
    if len(text) <= longest:
        return text
    room = max(longest - len(_CUT), 0)
    end = room - room // 3
    return text[: room // 3] + _CUT + text[-end:] if end else ""


def _count(usage: Any, *path: str) -> int:
    for name in path:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if type(usage) is int and usage > 0 else 0
