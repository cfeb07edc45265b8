"""What the model reads: the report's system prompt, then turn after turn, as much as its context holds."""

from collections.abc import Sequence
from itertools import chain

from engine.actions import ACTION_NAMES, CLICK
from engine.frames import Frame
from playtest.arena.agents.client import Turn

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
