/** Turns keys, presses on the board and presses of key caps into actions. Letters are taken as printed, or by the position of the key if the layout has no Latin letters. */

import { ACTION } from "../shared/actions.js";
import { INPUT } from "../shared/codec.js";
import { onDetail } from "../shared/events.js";

/** @import { IntentGate, Verdict } from "./intent.js" */
/** @import { PlayBoard } from "../shared/board.js" */
/** @import { PlayControls } from "./controls.js" */
/** @import { CapPress, CellPress } from "./types" */

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
const DIRECTIONS = (1 << ACTION.UP) | (1 << ACTION.DOWN) | (1 << ACTION.LEFT) | (1 << ACTION.RIGHT);
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
    return letter(event) === "z" && !event.shiftKey ? { kind: "action", action: ACTION.UNDO } : null;
  }
  return (offers(available, ACTION.CLICK) && cellMeaning(event, available)) || actionMeaning(event);
}

/** @returns {MarkKey | ClickKey | null} */
function cellMeaning(/** @type {KeyboardEvent} */ event, /** @type {number} */ available) {
  if (event.key === "Enter") return { kind: "click" };
  if (event.key === " " && !offers(available, ACTION.INTERACT)) return { kind: "click" };
  const keys = available & DIRECTIONS ? (event.shiftKey ? ARROWS : {}) : KEYS;
  const step = STEPS[keys[letter(event)]];
  if (!step) return null;
  const length = event.shiftKey && !(available & DIRECTIONS) ? LONG_STEP : 1;
  return { kind: "mark", right: step[0] * length, down: step[1] * length };
}

/** @returns {ActionKey | null} */
function actionMeaning(/** @type {KeyboardEvent} */ event) {
  const action = KEYS[letter(event)];
  return action === undefined ? null : { kind: "action", action };
}

/** @returns {string} the key's name, letters in lower case */
function letter(/** @type {KeyboardEvent} */ event) {
  if (event.key.length > 1 || event.key === " ") return event.key;
  const place = event.code.startsWith("Key") ? event.code.slice(3) : "";
  return (/^[a-z]$/i.test(event.key) ? event.key : place).toLowerCase();
}

/**
 * @typedef {object} Press
 * @property {number} action  one of ACTION
 * @property {number} input  one of INPUT
 * @property {number} timeStamp  when it was made, as performance.now() counts
 * @property {number | null} screenAge  how long its screen could be seen then, in milliseconds
 * @property {boolean} [waited]  for the answer to the press before it
 * @property {number} [x]  the cell of a click
 * @property {number} [y]
 */

/**
 * @param {object} from
 * @param {PlayBoard} from.board
 * @param {PlayControls} from.controls
 * @param {IntentGate} from.gate
 * @param {() => boolean} from.listening  whether presses are meant for the board now
 * @param {() => number} from.available  the actions offered, bit i: action i
 * @param {(press: Press) => void} take  a press that counts
 * @param {(press: Press) => void} refuse  a press that was made before its screen could be seen
 */
export function listen({ board, controls, gate, listening, available }, take, refuse) {
  const press = (/** @type {Verdict} */ verdict, /** @type {Omit<Press, "screenAge">} */ made) => {
    const judged = { ...made, screenAge: gate.age(made.timeStamp) };
    if (verdict === "early") return refuse(judged);
    if (verdict === "held") return undefined;
    controls.flash(made.action);
    return take(judged);
  };

  watchHands(gate, (event, verdict) => {
    if (!listening() || isForButton(event)) return;
    const meant = meaning(event, available());
    if (meant === null) return;
    event.preventDefault();
    if (meant.kind === "mark") return board.moveMark(meant.right, meant.down);
    const input = event.repeat ? INPUT.KEY_REPEAT : INPUT.KEY;
    const timeStamp = timeOf(event);
    if (meant.kind === "action") return press(verdict, { action: meant.action, input, timeStamp });
    if (board.marked) return press(verdict, { action: ACTION.CLICK, ...board.marked, input, timeStamp });
    return board.moveMark(0, 0);
  });

  onDetail(board, "cell", (/** @type {CellPress} */ { x, y, pointerType, ...made }) => {
    if (!listening()) return;
    const timeStamp = timeOf(made);
    const input = pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
    press(gate.pointer(timeStamp), { action: ACTION.CLICK, x, y, input, timeStamp });
  });

  onDetail(controls, "press", (/** @type {CapPress} */ { action, ...made }) => {
    const timeStamp = timeOf(made);
    if (listening()) press(gate.pointer(timeStamp), { action, input: INPUT.BUTTON, timeStamp });
  });
}

/** Tells the gate of every key and pointer, wherever it presses; then `keyed` gets the key with its verdict. */
function watchHands(/** @type {IntentGate} */ gate, /** @type {(event: KeyboardEvent, verdict: Verdict) => unknown} */ keyed) {
  window.addEventListener("keydown", (event) => keyed(event, gate.key(event.code || event.key, timeOf(event), event.repeat)));
  window.addEventListener("keyup", (event) => gate.release(event.code || event.key));
  window.addEventListener("blur", () => gate.releaseAll());
  window.addEventListener("pointerdown", (event) => gate.pointer(timeOf(event)), { capture: true });
}

/** When it happened, never after now: not every program that makes events has this clock. */
function timeOf(/** @type {{timeStamp: number}} */ event) {
  return Math.min(event.timeStamp, performance.now());
}

/** Enter and Space belong to a button that has the focus. */
function isForButton(/** @type {KeyboardEvent} */ event) {
  const pressing = event.key === "Enter" || event.key === " ";
  return pressing && event.target instanceof Element && event.target.closest("button, a") !== null;
}
