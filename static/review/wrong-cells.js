/** Which cells of an output grid are wrong, in words and as crosses over the frame that pictures it. */

import { SIDE } from "../shared/codec.js";

/** @import { Grid } from "../play/tasks/types" */

/**
 * @typedef {object} WrongCells
 * @property {[row: number, column: number][]} cells  of the output: another colour than in the solution, or beyond it
 * @property {Grid} output
 * @property {Grid} solution
 */

/** @param {Grid} output @param {Grid} solution @returns {WrongCells} */
export function wrongCells(output, solution) {
  const cells = output.flatMap((row, y) => row.flatMap((colour, x) => (
    colour === solution[y]?.[x] ? [] : [/** @type {[number, number]} */ ([y, x])]
  )));
  return { cells, output, solution };
}

/** Such as "2 of 9 cells are wrong" and "the size is 3 by 3 and should be 4 by 4". @param {WrongCells} wrong @returns {string} */
export function wrongLabel({ cells, output, solution }) {
  const [is, should] = [output, solution].map((grid) => `${grid.length} by ${grid[0].length}`);
  const count = output.length * output[0].length;
  const colours = `${cells.length} of ${count} ${count === 1 ? "cell" : "cells"} ${cells.length === 1 ? "is" : "are"} wrong`;
  if (is !== should) return `The size is ${is} and should be ${should}; ${colours}.`;
  return cells.length === 0 ? "The output is right." : `${colours[0].toUpperCase()}${colours.slice(1)}.`;
}

/** Draws the crosses on a canvas that lies over the frame; a cell is as large there as `engine/tasks/grids.py` draws it. */
export function drawCrosses(/** @type {HTMLCanvasElement} */ canvas, /** @type {WrongCells} */ { cells, output }) {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const cell = Math.floor(SIDE / Math.max(output.length, output[0].length)) * (canvas.width / SIDE);
  context.beginPath();
  for (const [row, column] of cells) {
    const [left, top, right, bottom] = [column + 0.25, row + 0.25, column + 0.75, row + 0.75].map((at) => at * cell);
    context.moveTo(left, top);
    context.lineTo(right, bottom);
    context.moveTo(right, top);
    context.lineTo(left, bottom);
  }
  for (const [width, colour] of /** @type {[number, string][]} */ ([[0.16, "#000000"], [0.08, "#ffffff"]])) {
    context.lineWidth = Math.max(2, cell * width);
    context.strokeStyle = colour;
    context.stroke();
  }
}
