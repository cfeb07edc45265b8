/** Grids of a task: rows of colours from 0 to 9, never changed in place. The same functions as `engine/tasks/grids.py`. */

import { gettext } from "../../shared/catalogue.js";

/** @typedef {readonly (readonly number[])[]} Grid */
/** @typedef {readonly [row: number, column: number, height: number, width: number]} Rectangle */

export const LARGEST = 30;

/** Names of the colours, in English as official tools call them. */
export const COLOUR_NAMES = Object.freeze([
  gettext("black"), gettext("blue"), gettext("red"), gettext("green"), gettext("yellow"),
  gettext("grey"), gettext("magenta"), gettext("orange"), gettext("azure"), gettext("maroon"),
]);
/** The index of each colour in the palette of frames. */
export const PALETTE_OF_COLOURS = Object.freeze([5, 9, 8, 14, 11, 2, 6, 12, 10, 13]);

/** The position of a cell, which does not depend on the grid's size. @param {number} row @param {number} column */
export function position(row, column) {
  return row * LARGEST + column;
}

/** Row and column of a position. @param {number} at @returns {[number, number]} */
export function cellOf(at) {
  return [Math.floor(at / LARGEST), at % LARGEST];
}

/** @param {number} height @param {number} width @returns {Grid} */
export function blank(height, width) {
  return Array.from({ length: height }, () => Array.from({ length: width }, () => 0));
}

/** @param {Grid} one @param {Grid} other */
export function isSame(one, other) {
  return one.length === other.length
    && one.every((row, y) => row.length === other[y].length && row.every((cell, x) => cell === other[y][x]));
}

/** The grid with these positions in one colour; those outside it are passed over. @param {Grid} grid @param {readonly number[]} positions @param {number} colour @returns {Grid} */
export function withCells(grid, positions, colour) {
  const rows = grid.map((row) => [...row]);
  for (const [row, column] of positions.map(cellOf)) {
    if (row < rows.length && column < rows[0].length) rows[row][column] = colour;
  }
  return rows;
}

/** The grid cut off or continued with colour 0 to another size. @param {Grid} grid @param {number} height @param {number} width @returns {Grid} */
export function resized(grid, height, width) {
  return blank(height, width).map((row, y) => row.map((_, x) => grid[y]?.[x] ?? 0));
}

/** The grid with the area of one colour around a cell in another; areas join along edges of cells. @param {Grid} grid @param {number} row @param {number} column @param {number} colour @returns {Grid} */
export function filled(grid, row, column, colour) {
  const old = grid[row][column];
  const found = new Set([position(row, column)]);
  for (const at of found) {
    const [y, x] = cellOf(at);
    for (const [nearY, nearX] of [[y - 1, x], [y + 1, x], [y, x - 1], [y, x + 1]]) {
      if (grid[nearY]?.[nearX] === old) found.add(position(nearY, nearX));
    }
  }
  return withCells(grid, [...found], colour);
}

/** The grid with a part laid over it from a cell on; what lies outside the grid is cut off. @param {Grid} grid @param {Grid} part @param {number} row @param {number} column @returns {Grid} */
export function pasted(grid, part, row, column) {
  return grid.map((line, y) => line.map((cell, x) => part[y - row]?.[x - column] ?? cell));
}

/** The part of a grid in a rectangle, or null if no cell of the grid lies in it. @param {Grid} grid @param {Rectangle} rectangle @returns {Grid | null} */
export function cut(grid, [row, column, height, width]) {
  const lines = grid.slice(row, row + height).map((line) => line.slice(column, column + width));
  return lines.length > 0 && lines[0].length > 0 ? lines : null;
}
