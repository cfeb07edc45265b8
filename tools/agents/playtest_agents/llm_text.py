"""What a model reads, how its replies are read, and what they cost: no request is made here.

The report's system prompt, then turn after turn, as much as the model's context holds.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from playtest_agents.client import MOST_REASONING_BYTES
from playtest_agents.game import ACTION_NAMES, CLICK, SIZE, Action, Frame, Turn

SYSTEM_PROMPT = (
    "You are playing a game. Your goal is to win. Reply with the exact action you want to take. The final"
    " action in your reply will be executed next turn. Your entire reply will be carried to the next turn."
)
"""Report 4.3.1, word for word. Nothing about the game, its actions or ARC is added."""
MOST_FRAMES = 7
"""Frames of one action that are shown; of more, evenly spaced ones with the first and the last."""

type Message = dict[str, str]
type Exchange = tuple[str, str]
"""What the user said (a turn) and what the model replied."""
_MILLION = 1_000_000
_CUT = " […] "
_NAME = re.compile(r"(?<![A-Z0-9_])(RESET|ACTION\s?[1-7])(?![A-Z0-9_])", re.IGNORECASE)
_CELL = re.compile(
    r"""["'`*]*\s*[:,(\[{]*\s*          # ACTION6: (  or  "ACTION6", {
        (?:["']?x["']?\s*[:=]\s*)?      # x=
        (\d{1,4})
        \s*[,;\s]\s*
        (?:["']?y["']?\s*[:=]\s*)?      # y=
        (\d{1,4})(?!\d)""",
    re.IGNORECASE | re.VERBOSE,
)


def turn_text(turn: Turn, actions: Sequence[int] = ()) -> str:
    """A turn as text: state, levels completed, frames as rows of numbers 0 to 15, and what can be replied."""
    frames = shown_frames(turn.frames)
    drawn = [
        f"Frame {number} of {len(frames)}:\n{grid_text(frame)}" for number, frame in enumerate(frames, 1)
    ]
    facts = f"State: {turn.state}\nLevels completed: {turn.levels_completed}"
    names = ["\n".join(["Available actions:", *map(action_text, actions)])] if actions else []
    return "\n\n".join([facts, *drawn, *names])


def grid_text(frame: Frame) -> str:
    """A line for each row, its cells separated by spaces."""
    return "\n".join(" ".join(map(str, row)) for row in frame.tolist())


def action_text(action: int) -> str:
    """An action as the model is to write it."""
    return f"{ACTION_NAMES[action]} x y (x and y from 0 to 63)" if action == CLICK else ACTION_NAMES[action]


def shown_frames(frames: Sequence[Frame], most: int = MOST_FRAMES) -> list[Frame]:
    """All frames, or `most` of them, at least 2, with the first and the last."""
    if len(frames) <= most:
        return list(frames)
    return [frames[round(number * (len(frames) - 1) / (most - 1))] for number in range(most)]


def messages(history: Sequence[Exchange], asked: str, most_characters: int) -> list[Message]:
    """The conversation to send: the system prompt, the newest exchanges that fit, and what is asked now.

    `most_characters` bounds all of it. What is asked now is sent in any case.
    """
    left = most_characters - len(SYSTEM_PROMPT) - len(asked)
    fitting: list[Exchange] = []
    for exchange in reversed(history):
        left -= sum(map(len, exchange))
        if left < 0:
            break
        fitting.append(exchange)
    carried = chain.from_iterable(
        (_message("user", said), _message("assistant", replied)) for said, replied in reversed(fitting)
    )
    return [_message("system", SYSTEM_PROMPT), *carried, _message("user", asked)]


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def last_action(reply: str, allowed: Collection[int]) -> Action | None:
    """The last allowed action that a reply names.

    ACTION6 needs its cell right behind it, in any usual notation (`ACTION6 3 4`, `ACTION6(x=3, y=4)`,
    `{"action": "ACTION6", "x": 3, "y": 4}`), within 0 to 63. Returns None without such an action.
    """
    for match in reversed(list(_NAME.finditer(reply))):
        name = re.sub(r"\s", "", match[1].upper())
        action = ACTION_NAMES.index(name)
        if action not in allowed:
            continue
        if action != CLICK:
            return Action(action)
        cell = _CELL.match(reply, match.end())
        if cell and all(int(value) < SIZE for value in cell.groups()):
            return Action(action, int(cell[1]), int(cell[2]))
    return None


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
