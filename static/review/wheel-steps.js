/** The wheel over a board steps through actions. At the first and the last one it scrolls the page as everywhere else. */

/** A touch pad reports many small turns: so many pixels are one step. */
const PIXELS_A_STEP = 30;

/** @import { Playback } from "./playback.js" */

/** @param {HTMLElement} board @param {Playback} playback */
export function stepByWheel(board, playback) {
  let turned = 0;
  board.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    const before = playback.position;
    const back = event.deltaY < 0;
    if (before === (back ? 0 : playback.timeline.positions.length - 1)) return;
    event.preventDefault();
    if (Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
    turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * PIXELS_A_STEP;
    if (Math.abs(turned) < PIXELS_A_STEP) return;
    turned = 0;
    playback.step("action", back ? -1 : 1);
  }, { passive: false });
}
