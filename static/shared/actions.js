/** The actions and what they are called on every page; `playtest/rules/labels.py` has the same. */

export const ACTION = Object.freeze({
  RESET: 0, UP: 1, DOWN: 2, LEFT: 3, RIGHT: 4, INTERACT: 5, CLICK: 6, UNDO: 7,
});

/** By the number of the action. */
export const ACTION_LABELS = Object.freeze(["reset level", "up", "down", "left", "right", "interact", "click", "undo"]);
