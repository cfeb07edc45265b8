/** Actions, inputs, events and times as text. */

import { ACTION, ACTION_LABELS } from "../shared/actions.js";

/** @import { Entry, JournalEvent, Pause, Position, Submission } from "./types" */

/** What is printed on the key of an action; nothing for a click. */
const KEY_CAPS = ["R", "↑", "↓", "←", "→", "space", "", "Z"];
/** @type {Record<string, string>} */
const INPUTS = {
  unknown: "", key: "key", key_repeat: "held key", mouse: "mouse", touch: "touch", button: "on-screen button",
};
/** @type {Set<number>} */
const ARROWS = new Set([ACTION.UP, ACTION.DOWN, ACTION.LEFT, ACTION.RIGHT]);

/** Such as "reset level", "↑ up", "click 3, 4", or of a task "painted 4 cells red", "submission 1: wrong". */
export function actionLabel(/** @type {Entry} */ { seq, action, x, y, edit, label: done, submission }) {
  if (seq === 0) return edit === undefined ? "first frame" : "task opened";
  if (submission) return submissionLabel(submission);
  if (done) return done;
  if (action < 0) return "action not recorded";
  const label = ARROWS.has(action) ? `${keyCapOf(action)} ${ACTION_LABELS[action]}` : ACTION_LABELS[action];
  return x === null ? label : `${label} ${x}, ${y}`;
}

/** Such as "submission 1: wrong" or "submission 3: right, not counted". */
export function submissionLabel(/** @type {Submission} */ { number, right, counted }) {
  return `submission ${number}: ${right ? "right" : "wrong"}${counted ? "" : ", not counted"}`;
}

export function keyCapOf(/** @type {number} */ action) {
  return KEY_CAPS[action] ?? "";
}

/** What a replay calls the parts of an attempt: those of a static task have names of their own. @param {{task?: object}} journal */
export function wordsOf({ task }) {
  return task ? { level: "test input", action: "edit", lost: "tries used up" } : { level: "level", action: "action", lost: "lost" };
}

function inputLabel(/** @type {string} */ input) {
  return INPUTS[input] ?? input;
}

/** What made an action, and what is known of its press: how long it waited, and the age of the screen that could be seen. @returns {string[]} */
export function pressFacts(/** @type {Entry} */ { input, queued, screen_age }) {
  return [
    inputLabel(input),
    queued ? `queued ${queued} ms` : "",
    screen_age == null ? "" : `screen ${screen_age < 1000 ? `${screen_age} ms` : `${(screen_age / 1000).toFixed(1)} s`} old`,
  ].filter(Boolean);
}

/** What staff did as a sentence; of another event its kind and its details. Both with the member of staff who caused it. */
export function eventLabel(/** @type {JournalEvent} */ { kind, details, staff, sentence }) {
  if (sentence) return staff ? `${sentence} · by ${staff}` : sentence;
  const facts = Object.values(details).filter((value) => typeof value !== "object");
  return [kind, ...facts, ...(staff ? [`by ${staff}`] : [])].map((fact) => String(fact).replaceAll("_", " ")).join(" · ");
}

/** Such as "paused 6:20". */
export function pauseLabel(/** @type {Pause} */ { seconds }) {
  if (seconds === null) return "paused until now";
  const whole = Math.round(seconds);
  return `paused ${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Milliseconds as m:ss.t */
export function clockText(/** @type {number} */ milliseconds) {
  const tenths = Math.floor(milliseconds / 100);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** Which frame of an animation is shown; nothing if it has only one. */
export function frameLabel(/** @type {Entry} */ entry, /** @type {Position} */ { frame, seen }) {
  if (entry.frame_count === 1) return "";
  return `, frame ${frame + 1} of ${entry.frame_count}${seen ? "" : " (not seen: the next action came first)"}`;
}
