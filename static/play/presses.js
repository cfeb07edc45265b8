/** Turns keys, presses on the board and presses of key caps into actions. */

import { ACTION } from "../shared/actions.js";
import { INPUT } from "../shared/codec.js";
import { onDetail } from "../shared/events.js";
import { meaning } from "./keys.js";

/** @import { PlayBoard } from "../shared/board.js" */
/** @import { PlayControls } from "./controls.js" */
/** @import { CapPress, CellPress } from "./types" */

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
