/** `<task-grid>`: one grid drawn on a canvas, with a chosen rectangle and the cell of the keyboard. */

import { tile } from "../../shared/colour-patterns.js";
import { PALETTE, pixel } from "../../shared/palette.js";
import { PALETTE_OF_COLOURS } from "./grids.js";

/** @import { Grid, Part, Rectangle } from "./types" */

/** From this size on, in device pixels, lines between cells are drawn. */
const LINED_FROM = 6;
const LINE = "#5c5c5c";

/** Where a pointer is on a grid. @typedef {{row: number, column: number}} Cell */

export class TaskGrid extends HTMLElement {
  /** @type {Grid} */
  grid = [[0]];
  /** What this grid is to a paste. @type {Pick<Part, "from" | "pair">} */
  place = { from: "input" };
  patterns = false;
  /** @type {Rectangle | null} */
  chosen = null;
  /** @type {Cell | null} */
  cursor = null;
  #canvas = document.createElement("canvas");
  /** The size of a cell in CSS pixels. */
  cell = 1;
  #tiles = new Map();

  connectedCallback() {
    this.#canvas.setAttribute("aria-hidden", "true");
    this.replaceChildren(this.#canvas);
    this.draw();
  }

  get size() {
    return { height: this.grid.length, width: this.grid[0].length };
  }

  /** The cell at a place of the window; null outside, or the nearest one if `nearest`. @param {{clientX: number, clientY: number}} at @param {boolean} [nearest] @returns {Cell | null} */
  cellAt({ clientX, clientY }, nearest = false) {
    const box = this.#canvas.getBoundingClientRect();
    const { height, width } = this.size;
    const [row, column] = [
      Math.floor(((clientY - box.top) / box.height) * height),
      Math.floor(((clientX - box.left) / box.width) * width),
    ];
    if (nearest) return { row: within(row, height), column: within(column, width) };
    return row >= 0 && row < height && column >= 0 && column < width ? { row, column } : null;
  }

  draw() {
    const { height, width } = this.size;
    const scale = Math.max(1, Math.floor(this.cell * window.devicePixelRatio + 1e-6));
    const [wide, high] = [width * scale, height * scale];
    if (this.#canvas.width !== wide) this.#canvas.width = wide;
    if (this.#canvas.height !== high) this.#canvas.height = high;
    this.#canvas.style.width = `${wide / window.devicePixelRatio}px`;
    this.#canvas.style.height = `${high / window.devicePixelRatio}px`;
    const context = this.#canvas.getContext("2d", { alpha: false });
    if (!context) return;
    this.grid.forEach((row, y) => row.forEach((colour, x) => {
      context.putImageData(this.#tile(colour, scale), x * scale, y * scale);
    }));
    if (scale >= LINED_FROM) lines(context, height, width, scale);
    if (this.chosen) frame(context, this.chosen, scale, [3, 3]);
    if (this.cursor) frame(context, [this.cursor.row, this.cursor.column, 1, 1], scale, []);
  }

  /** @param {number} colour @param {number} scale @returns {ImageData} */
  #tile(colour, scale) {
    const key = `${colour} ${scale} ${this.patterns}`;
    const known = this.#tiles.get(key);
    if (known) return known;
    const index = PALETTE_OF_COLOURS[colour];
    const pixels = this.patterns ? tile(index, scale) : new Uint32Array(scale * scale).fill(pixel(PALETTE[index]));
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), scale, scale);
    this.#tiles.set(key, image);
    return image;
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} height @param {number} width @param {number} scale */
function lines(context, height, width, scale) {
  context.fillStyle = LINE;
  for (let x = 0; x <= width; x += 1) context.fillRect(Math.min(x * scale, width * scale - 1), 0, 1, height * scale);
  for (let y = 0; y <= height; y += 1) context.fillRect(0, Math.min(y * scale, height * scale - 1), width * scale, 1);
}

/** White on black, so that it is seen on every colour. @param {CanvasRenderingContext2D} context @param {Rectangle} rectangle @param {number} scale @param {number[]} dashes */
function frame(context, [row, column, height, width], scale, dashes) {
  const box = /** @type {const} */ ([column * scale + 1.5, row * scale + 1.5, width * scale - 3, height * scale - 3]);
  context.setLineDash([]);
  context.lineWidth = 4;
  context.strokeStyle = "#000000";
  context.strokeRect(...box);
  context.setLineDash(dashes);
  context.lineWidth = 2;
  context.strokeStyle = "#ffffff";
  context.strokeRect(...box);
}

/** @param {number} index @param {number} count */
function within(index, count) {
  return Math.min(count - 1, Math.max(0, index));
}

customElements.define("task-grid", TaskGrid);
