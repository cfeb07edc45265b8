/** How an attempt can end, in the order in which outcomes are stacked and listed; `playtest/rules/labels.py` has the same. */

/** @type {Readonly<Record<string, string>>} */
export const OUTCOME_LABELS = Object.freeze({
  completed: "completed",
  gave_up: "gave up",
  concluded: "concluded",
  timed_out: "timed out",
  tries_used: "tries used up",
  left_at_once: "left at once",
  session_over: "session over",
  ended_by_staff: "ended by staff",
  fault: "environment fault",
});
