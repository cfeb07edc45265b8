/** Turns keys, presses on the board and presses of key caps into actions. Letters are taken as printed, or by the position of the key if the layout has no Latin letters. */

import { ACTION } from "../shared/actions.js";
import { INPUT } from "../shared/codec.js";
import { onDetail } from "../shared/events.js";

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

/** For so long after the board a button stays disabled: a further press meant for the board must not press it. */
export const MEANT_FOR_THE_BOARD_MS = 600;

/**
 * @typedef {object} Press
 * @property {number} action  one of ACTION
 * @property {number} input  one of INPUT
 * @property {number} timeStamp  when it was made, as performance.now() counts
 * @property {number} [x]  the cell of a click
 * @property {number} [y]
 */

/**
 * @param {object} from
 * @param {PlayBoard} from.board
 * @param {PlayControls} from.controls
 * @param {() => boolean} from.listening  whether presses are meant for the board now
 * @param {() => number} from.available  the actions offered, bit i: action i
 * @param {(press: Press) => void} take
 */
export function listen({ board, controls, listening, available }, take) {
  const press = (/** @type {Press} */ made) => {
    controls.flash(made.action);
    take(made);
  };

  window.addEventListener("keydown", (event) => {
    if (!listening() || isForButton(event)) return;
    const meant = meaning(event, available());
    if (meant === null) return;
    event.preventDefault();
    if (meant.kind === "mark") return board.moveMark(meant.right, meant.down);
    const input = event.repeat ? INPUT.KEY_REPEAT : INPUT.KEY;
    const { timeStamp } = event;
    if (meant.kind === "action") return press({ action: meant.action, input, timeStamp });
    if (board.marked) return press({ action: ACTION.CLICK, ...board.marked, input, timeStamp });
    return board.moveMark(0, 0);
  });

  onDetail(board, "cell", (/** @type {CellPress} */ { x, y, pointerType, timeStamp }) => {
    if (!listening()) return;
    const input = pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
    press({ action: ACTION.CLICK, x, y, input, timeStamp });
  });

  onDetail(controls, "press", (/** @type {CapPress} */ { action, timeStamp }) => {
    if (listening()) press({ action, input: INPUT.BUTTON, timeStamp });
  });
}

/** Enter and Space belong to a button that has the focus. */
function isForButton(/** @type {KeyboardEvent} */ event) {
  const pressing = event.key === "Enter" || event.key === " ";
  return pressing && event.target instanceof Element && event.target.closest("button, a") !== null;
}
