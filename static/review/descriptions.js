/** Actions, inputs, events and times in words. */

import { ACTION_LABELS } from "../shared/actions.js";

const CAPS = ["R", "↑", "↓", "←", "→", "space", "", "Z"];
const INPUTS = {
  unknown: "", key: "key", key_repeat: "held key", mouse: "mouse", touch: "touch", button: "on-screen button",
};

/** @param {{seq: number, action: number, x: number | null, y: number | null}} entry */
export function actionWords({ seq, action, x, y }) {
  if (seq === 0) return "first frame";
  const label = "↑↓←→".includes(capOf(action) || "-") ? `${capOf(action)} ${ACTION_LABELS[action]}` : ACTION_LABELS[action];
  return x === null ? label : `${label} ${x}, ${y}`;
}

/** What is printed on the key of an action; a click has none. */
export function capOf(/** @type {number} */ action) {
  return CAPS[action] ?? "";
}

/** @param {string} input */
export function inputWords(input) {
  return INPUTS[input] ?? input;
}

/** @param {{kind: string, details: Record<string, unknown>, staff?: string | null}} event */
export function eventWords({ kind, details, staff }) {
  const facts = Object.values(details).filter((value) => typeof value !== "object");
  return [kind, ...facts, ...(staff ? [`by ${staff}`] : [])].map((fact) => String(fact).replaceAll("_", " ")).join(" · ");
}

/** Milliseconds as m:ss.t */
export function clock(/** @type {number} */ milliseconds) {
  const tenths = Math.floor(milliseconds / 100);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** Which frame of an animation is shown; nothing where there is only one. */
export function frameWords(/** @type {{frame_count: number}} */ entry, /** @type {{frame: number, seen: boolean}} */ { frame, seen }) {
  if (entry.frame_count === 1) return "";
  return `, frame ${frame + 1} of ${entry.frame_count}${seen ? "" : " (not seen: the next action came first)"}`;
}
