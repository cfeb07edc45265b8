/** Presses and strokes of mouse, touch and pen on the grids of the task editor. A finger acts when it is lifted, a mouse when it goes down. */

import { INPUT } from "../../shared/codec.js";
import { Fingers } from "../../shared/touch.js";
import { timeOf } from "../controls.js";
import { TaskGrid } from "./grid-view.js";
import { position } from "./grids.js";

/** @import { Edit, Rectangle } from "./types" */
/** @typedef {{row: number, column: number}} Cell */

/** So many positions fit in an edit of 512 bytes. */
const MOST_CELLS = 110;

/**
 * @typedef {object} Hand  what the editor does
 * @property {(timeStamp: number) => boolean} counts  whether what began then was meant for what is shown
 * @property {(grid: TaskGrid, cell: Cell) => "paint" | "select" | "use"} grip  what a press here begins
 * @property {(cells: readonly number[], last: Cell) => void} preview  of a stroke that goes on
 * @property {(cells: readonly number[], input: number, timeStamp: number) => void} painted
 * @property {(grid: TaskGrid, one: Cell, other: Cell) => void} select
 * @property {() => void} chosen  the rectangle is complete
 * @property {(cell: Cell, input: number, timeStamp: number) => void} use
 * @typedef {{grid: TaskGrid, from: Cell, last: Cell, cells: number[], paints: boolean, began: number}} Drag
 */

/** @param {HTMLElement} element  that contains the grids @param {Hand} hand */
export function listenToPointers(element, hand) {
  /** @type {Drag | null} */
  let drag = null;
  /** @type {Fingers<{grid: TaskGrid, cell: Cell}>} */
  const fingers = new Fingers();

  const letGo = () => {
    if (drag?.paints) hand.painted([], INPUT.UNKNOWN, 0);
    drag = null;
    fingers.cancel(undefined);
  };
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
    if (!event.isPrimary) return letGo(); // a pinch
    const began = timeOf(event);
    if (!(grid instanceof TaskGrid) || !cell || event.button !== 0) return undefined;
    event.preventDefault();
    if (!hand.counts(began)) return undefined;
    const grip = hand.grip(grid, cell);
    if (grip === "use" && event.pointerType === "mouse") return hand.use(cell, INPUT.MOUSE, began);
    element.setPointerCapture(event.pointerId);
    if (grip === "use") return fingers.down(event, { grid, cell });
    drag = { grid, from: cell, last: cell, cells: [], paints: grip === "paint", began };
    return follow(cell);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag && event.isPrimary) follow(drag.grid.cellAt(event, true) ?? drag.last);
  });
  element.addEventListener("pointerup", (event) => {
    const finger = fingers.lift(event, ({ grid, cell }) => isSame(grid.cellAt(event), cell));
    if (finger?.acts && hand.counts(finger.began)) hand.use(finger.place.cell, INPUT.TOUCH, timeOf(event));
    if (!drag || !event.isPrimary) return;
    const { cells, paints, began } = drag;
    drag = null;
    if (paints) hand.painted(hand.counts(began) ? cells : [], inputOf(event), timeOf(event));
    else hand.chosen();
  });
  element.addEventListener("pointercancel", letGo);
}

/** @param {Cell | null} one @param {Cell} other */
function isSame(one, other) {
  return one?.row === other.row && one.column === other.column;
}

/** @param {PointerEvent} event */
function inputOf({ pointerType }) {
  return pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
}

/** The cells from one to another, both included, without a gap: a quick pointer skips some. @param {Cell} from @param {Cell} to @returns {number[]} positions */
export function between(from, to) {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const share = steps === 0 ? 0 : step / steps;
    return position(Math.round(from.row + (to.row - from.row) * share), Math.round(from.column + (to.column - from.column) * share));
  });
}

/** @param {readonly number[]} cells @param {number} colour @returns {Edit[]} */
export function paintEdits(cells, colour) {
  const parts = Math.ceil(cells.length / MOST_CELLS);
  return Array.from({ length: parts }, (_, part) => (
    { op: "paint", colour, cells: cells.slice(part * MOST_CELLS, (part + 1) * MOST_CELLS) }
  ));
}

/** @param {Cell} one @param {Cell} other @returns {Rectangle} */
export function rectangleOf(one, other) {
  const [row, column] = [Math.min(one.row, other.row), Math.min(one.column, other.column)];
  return [row, column, Math.abs(one.row - other.row) + 1, Math.abs(one.column - other.column) + 1];
}
