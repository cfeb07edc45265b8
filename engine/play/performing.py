"""Performs an action by arcengine's rules (0.9.3 base_game.perform_action), with less work around it.

What pydantic makes of an action and of its answer takes as long as the steps of a small environment. So an
action is a copy of one that pydantic made, and the answer is a plain object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arcengine import ActionInput, ARCBaseGame, GameAction, GameState, base_game

from engine.play.actions import CLICK, Action

_STOCK_PERFORM = ARCBaseGame.perform_action
_OVER = (GameState.GAME_OVER, GameState.WIN)
# Never handed out: an environment may keep and change the action that it was given.
_INPUTS = {
    action.value: ActionInput(id=action, data={"x": 0, "y": 0} if action.value == CLICK else {})
    for action in GameAction
}


@dataclass(slots=True)
class Answer:
    """What arcengine's FrameDataRaw says of an action."""

    frame: list[Any]
    state: Any
    levels_completed: Any
    win_levels: Any
    full_reset: Any
    available_actions: Any


def as_input(action: Action) -> ActionInput:
    """A new ActionInput of this action, equal to what its constructor makes."""
    made = _INPUTS[action.id].__copy__()
    made.__dict__["data"] = action.data
    return made


def perform(rules: ARCBaseGame, given: ActionInput) -> Any:
    """The answer to an action: an Answer, or what the environment's own or arcengine's method returns.

    Raises what the environment raises, and what perform_action raises after too many frames.
    """
    if getattr(rules.perform_action, "__func__", None) is not _STOCK_PERFORM:
        return rules.perform_action(given, raw=True)
    is_reset = given.id is GameAction.RESET
    if not is_reset and rules._state in _OVER:
        return rules.perform_action(given, raw=True)
    rules._full_reset = False
    if is_reset:
        rules.handle_reset()
    rules._set_action(given)
    frames: list[Any] = []
    while not rules.is_action_complete():
        if len(frames) > base_game.MAX_FRAME_PER_ACTION:
            raise ValueError("Action took too many frames")
        if rules._next_level:
            rules._really_set_next_level()
        else:
            rules.step()
        frames.append(rules.camera.render(rules.current_level.get_sprites()))
    return Answer(
        frames,
        rules._state,
        rules._score,
        rules._win_score,
        rules._full_reset,
        rules._available_actions,
    )
