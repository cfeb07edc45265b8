/** Keys, the board and the key caps all make the same thing: a press. */

import { ACTION } from "../shared/actions.js";
import { INPUT } from "../shared/codec.js";
import { meaning } from "./keys.js";

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
 * @param {import("../shared/board.js").PlayBoard} from.board
 * @param {import("./controls.js").PlayControls} from.controls
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

  board.addEventListener("cell", (event) => {
    if (!listening()) return;
    const { x, y, pointerType, timeStamp } = /** @type {CustomEvent} */ (event).detail;
    const input = pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
    press({ action: ACTION.CLICK, x, y, input, timeStamp });
  });

  controls.addEventListener("press", (event) => {
    if (!listening()) return;
    const { action, timeStamp } = /** @type {CustomEvent} */ (event).detail;
    press({ action, input: INPUT.BUTTON, timeStamp });
  });
}

/** Enter and Space belong to a button that has the focus. */
function isForButton(/** @type {KeyboardEvent} */ event) {
  const pressing = event.key === "Enter" || event.key === " ";
  return pressing && event.target instanceof Element && event.target.closest("button, a") !== null;
}
