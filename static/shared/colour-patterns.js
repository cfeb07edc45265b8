/**
 * A pattern on each colour of the board, for people who cannot distinguish some of them.
 *
 * White, greys and black differ in lightness and have no pattern, so that most backgrounds stay calm.
 * A pattern is drawn in every cell of its colour and shows nothing but the colour.
 */

import { CELLS, SIDE } from "./codec.js";
import { PALETTE, hexadecimal, pixel } from "./palette.js";

/** Patterns in a cell of four by four, by colour. @type {Readonly<Record<number, string[]>>} */
const MARKS = Object.freeze({
  6: [".##.", "#..#", "#..#", ".##."], // magenta: ring
  7: ["#..#", "....", "....", "#..#"], // pink: corners
  8: ["....", "####", "####", "...."], // red: bar
  9: [".##.", ".##.", ".##.", ".##."], // blue: post
  10: ["...#", "..#.", ".#..", "#..."], // light blue: rising line
  11: ["....", ".##.", ".##.", "...."], // yellow: dot
  12: ["#.#.", ".#.#", "#.#.", ".#.#"], // orange: chequers
  13: ["#...", ".#..", "..#.", "...#"], // maroon: falling line
  14: ["#...", "##..", "###.", "####"], // green: wedge
  15: ["#..#", ".##.", ".##.", "#..#"], // purple: cross
});
export const MARKS_SIDE = 4;
/** How much of the ink is black or white, the rest is the colour's own. */
const INK = 0.6;

/**
 * One cell of a colour as its pattern shows it.
 * @param {number} colour  0..15
 * @param {number} scale  pixels in a cell's side
 * @returns {Uint32Array<ArrayBuffer>} scale x scale canvas pixels in reading order
 */
export function tile(colour, scale) {
  const [ground, ink] = [pixel(PALETTE[colour]), pixel(inkOn(PALETTE[colour]))];
  const at = (/** @type {number} */ place) => Math.floor(((place + 0.5) * MARKS_SIDE) / scale);
  return Uint32Array.from({ length: scale * scale }, (_, index) => {
    const marked = MARKS[colour]?.[at(Math.floor(index / scale))][at(index % scale)] === "#";
    return marked ? ink : ground;
  });
}

/**
 * The pattern of a colour for drawings that are no canvas: no rows where it has none.
 * @param {number} colour  0..15
 * @returns {{ink: string, rows: readonly string[]}}
 */
export function marksOn(colour) {
  return { ink: hexadecimal(inkOn(PALETTE[colour])), rows: MARKS[colour] ?? [] };
}

/** Draws frames with patterns on a canvas of its own; cells that stay as they are are not drawn again. */
export class PatternLayer {
  canvas = document.createElement("canvas");
  #scale = 0;
  /** @type {ImageData[]} */
  #tiles = [];
  /** The frame on the canvas. @type {Uint8Array | null} */
  #drawn = null;

  /** @param {number} scale  device pixels in a cell's side */
  resize(scale) {
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#drawn = null;
    this.canvas.width = this.canvas.height = scale * SIDE;
    this.#tiles = PALETTE.map((_, colour) => {
      return new ImageData(new Uint8ClampedArray(tile(colour, scale).buffer), scale, scale);
    });
  }

  draw(/** @type {Uint8Array} */ frame) {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context || this.#scale === 0) return;
    for (let cell = 0; cell < CELLS; cell += 1) {
      if (this.#drawn?.[cell] === frame[cell]) continue;
      const [x, y] = [cell % SIDE, Math.floor(cell / SIDE)];
      context.putImageData(this.#tiles[frame[cell]], x * this.#scale, y * this.#scale);
    }
    this.#drawn = frame;
  }
}

/** Towards black on a light colour, towards white on a dark one. */
function inkOn(/** @type {number} */ colour) {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  const [red, green, blue] = parts.map((part) => (part / 255) ** 2.2);
  const towards = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? 0 : 255;
  return parts.reduce((all, part) => (all << 8) | Math.round(part + (towards - part) * INK), 0);
}
