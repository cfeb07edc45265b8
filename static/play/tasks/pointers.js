/** Presses and strokes of mouse, touch and pen on the grids of the task editor. */

import { INPUT } from "../../shared/codec.js";
import { timeOf } from "../controls.js";
import { TaskGrid } from "./grid-view.js";
import { between } from "./strokes.js";

/** @import { Cell } from "./strokes.js" */

/**
 * @typedef {object} Hand  what the editor does
 * @property {(grid: TaskGrid, cell: Cell, timeStamp: number) => "paint" | "select" | "use" | null} grip  what a press here begins
 * @property {(cells: readonly number[], last: Cell) => void} preview  of a stroke that goes on
 * @property {(cells: readonly number[], input: number, timeStamp: number) => void} painted
 * @property {(grid: TaskGrid, one: Cell, other: Cell) => void} select
 * @property {() => void} chosen  the rectangle is complete
 * @property {(cell: Cell, input: number, timeStamp: number) => void} use
 * @typedef {{grid: TaskGrid, from: Cell, last: Cell, cells: number[], paints: boolean}} Drag
 */

/** @param {HTMLElement} element  that contains the grids @param {Hand} hand */
export function listenToPointers(element, hand) {
  /** @type {Drag | null} */
  let drag = null;

  const follow = (/** @type {Cell} */ cell) => {
    if (!drag) return;
    if (drag.paints) {
      drag.cells = [...new Set([...drag.cells, ...between(drag.last, cell)])];
      hand.preview(drag.cells, cell);
    } else {
      hand.select(drag.grid, drag.from, cell);
    }
    drag.last = cell;
  };
  element.addEventListener("pointerdown", (event) => {
    const grid = event.target instanceof Element ? event.target.closest("task-grid") : null;
    const cell = grid instanceof TaskGrid ? grid.cellAt(event) : null;
    if (!(grid instanceof TaskGrid) || !cell || !event.isPrimary || event.button !== 0) return;
    event.preventDefault();
    const grip = hand.grip(grid, cell, timeOf(event));
    if (grip === null) return undefined;
    if (grip === "use") return hand.use(cell, inputOf(event), timeOf(event));
    element.setPointerCapture(event.pointerId);
    drag = { grid, from: cell, last: cell, cells: [], paints: grip === "paint" };
    return follow(cell);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag && event.isPrimary) follow(drag.grid.cellAt(event, true) ?? drag.last);
  });
  element.addEventListener("pointerup", (event) => {
    if (!drag || !event.isPrimary) return;
    const { cells, paints } = drag;
    drag = null;
    if (paints) hand.painted(cells, inputOf(event), timeOf(event));
    else hand.chosen();
  });
  element.addEventListener("pointercancel", () => {
    if (drag?.paints) hand.painted([], INPUT.UNKNOWN, 0);
    drag = null;
  });
}

/** @param {PointerEvent} event */
function inputOf({ pointerType }) {
  return pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
}
