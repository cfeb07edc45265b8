/** Cells that a pointer passes over, and the edits that paint them. */

import { position } from "./grids.js";

/** @import { Edit, Rectangle } from "./types" */
/** @typedef {{row: number, column: number}} Cell */

/** So many positions fit in an edit of 512 bytes. */
const MOST_CELLS = 110;

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
