/**
 * Which key was pressed, for the board, the task editor and the replay, and what it does on the board. Pure.
 *
 * A letter is the one printed on the key; where the layout has no Latin letter there, the one at its place. Never by the place of
 * punctuation: on Dvorak, "," is a comma and not W.
 */

import { ACTION } from "../shared/actions.js";

/** @type {Readonly<Record<string, number>>} */
const ARROWS = Object.freeze({
  ArrowUp: ACTION.UP, ArrowDown: ACTION.DOWN, ArrowLeft: ACTION.LEFT, ArrowRight: ACTION.RIGHT,
});
/** @type {Readonly<Record<string, number>>} */
const KEYS = Object.freeze({
  ...ARROWS,
  w: ACTION.UP, s: ACTION.DOWN, a: ACTION.LEFT, d: ACTION.RIGHT,
  " ": ACTION.INTERACT, f: ACTION.INTERACT,
  z: ACTION.UNDO,
  r: ACTION.RESET,
});
/** How far each direction moves to the right and down, by action. @type {Readonly<Record<number, number[]>>} */
export const STEPS = Object.freeze({
  [ACTION.UP]: [0, -1], [ACTION.DOWN]: [0, 1], [ACTION.LEFT]: [-1, 0], [ACTION.RIGHT]: [1, 0],
});
export const DIRECTIONS = (1 << ACTION.UP) | (1 << ACTION.DOWN) | (1 << ACTION.LEFT) | (1 << ACTION.RIGHT);
const LONG_STEP = 4;

/**
 * @typedef {{kind: "action", action: number}} ActionKey
 * @typedef {{kind: "mark", right: number, down: number}} MarkKey  move the marked cell
 * @typedef {{kind: "click"}} ClickKey  click the marked cell
 */

/** @param {number} available @param {number} action */
export function offers(available, action) {
  return (available & (1 << action)) !== 0;
}

/**
 * What this key does where `available` actions (bit i: action i) are offered; null when it is none of ours.
 *
 * Cells are chosen with the arrows where there are no directions (Shift: four at a time), else with Shift and the
 * arrows; Enter clicks, and so does Space where there is nothing to interact with.
 * @param {KeyboardEvent} event
 * @param {number} available
 * @returns {ActionKey | MarkKey | ClickKey | null}
 */
export function meaning(event, available) {
  if (event.altKey || event.isComposing) return null;
  if (event.ctrlKey || event.metaKey) {
    return keyName(event) === "z" && !event.shiftKey ? { kind: "action", action: ACTION.UNDO } : null;
  }
  return (offers(available, ACTION.CLICK) && cellMeaning(event, available)) || actionMeaning(event);
}

/** @returns {MarkKey | ClickKey | null} */
function cellMeaning(/** @type {KeyboardEvent} */ event, /** @type {number} */ available) {
  if (event.key === "Enter") return { kind: "click" };
  if (event.key === " " && !offers(available, ACTION.INTERACT)) return { kind: "click" };
  const keys = available & DIRECTIONS ? (event.shiftKey ? ARROWS : {}) : KEYS;
  const step = STEPS[keys[keyName(event)]];
  if (!step) return null;
  const length = event.shiftKey && !(available & DIRECTIONS) ? LONG_STEP : 1;
  return { kind: "mark", right: step[0] * length, down: step[1] * length };
}

/** @returns {ActionKey | null} */
function actionMeaning(/** @type {KeyboardEvent} */ event) {
  const action = KEYS[keyName(event)];
  return action === undefined ? null : { kind: "action", action };
}

/** What an input method or a dead key is called before it is known what it writes. */
const UNNAMED = new Set(["Process", "Unidentified", "Dead"]);
/** Letters and vowel signs; on some layouts one key writes two. */
const OTHER_SCRIPT = /^(?!\p{Script=Latin})[\p{L}\p{M}]+$/u;

/**
 * The name of a key: a Latin letter in lower case or a digit, as printed on it or else as it would stand at its place; any other key as
 * the browser calls it.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function keyName({ key, code, shiftKey }) {
  if (/^[a-z\d ]$/i.test(key)) return key.toLowerCase();
  const isDigit = code.startsWith("Digit");
  if (!UNNAMED.has(key) && !OTHER_SCRIPT.test(key) && (!isDigit || key.length > 1)) return key;
  if (code === "Space") return " ";
  if (isDigit) return shiftKey ? key : code.slice("Digit".length);
  return code.startsWith("Key") ? code.slice("Key".length).toLowerCase() : code;
}

/** Whether neither its label nor its place is known, so that the page can only say so. @param {KeyboardEvent} event */
export function isUnclear(event) {
  return UNNAMED.has(event.key) && ["", "Unidentified"].includes(event.code) && !isUsed(event);
}

/** Whether what has the focus uses the key itself: a field has all its keys, a button Enter and Space. */
export function isUsed(/** @type {KeyboardEvent} */ { target, key, ctrlKey, metaKey }) {
  if (!(target instanceof Element)) return false;
  const presses = (key === "Enter" || key === " ") && !ctrlKey && !metaKey;
  return target.closest(presses ? "input, textarea, select, button, a, summary" : "input, textarea, select") !== null;
}

/**
 * The label of the key that is called `letter` on this keyboard; empty if no key is.
 * @param {string} letter  in lower case
 * @param {ReadonlyMap<string, string>} layout  what is known of it: what keys write, by their `code`
 */
export function labelOf(letter, layout) {
  const written = [...layout.values()];
  const there = layout.get(`Key${letter.toUpperCase()}`) ?? letter;
  if (!written.includes(letter) && OTHER_SCRIPT.test(there)) return there.toUpperCase();
  const isReached = there === letter || written.includes(letter) || !written.some((label) => OTHER_SCRIPT.test(label));
  return isReached ? letter.toUpperCase() : "";
}

/**
 * Learns what a pressed key writes; a contradiction means another layout. Returns whether something was learned.
 * @param {Map<string, string>} layout @param {KeyboardEvent} event
 */
export function learn(layout, { key, code, shiftKey, altKey, ctrlKey, metaKey }) {
  const label = key.toLowerCase();
  if (shiftKey || altKey || ctrlKey || metaKey || !code.startsWith("Key") || label.length !== 1 || layout.get(code) === label) return false;
  if (layout.has(code)) layout.clear();
  layout.set(code, label);
  return true;
}
