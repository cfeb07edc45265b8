/**
 * A sketch of a level: 4,096 colours in reading order, written as 64 lines of 64 hexadecimal digits
 * as `playtest/rules/cards.py` does, with the same codes (tests/studio/sketch_texts.py).
 */

import { CELLS, SIDE } from "../../shared/codec.js";

const HEX = 16;
const MOST_UNDONE = 200;

/** Pasted text that is no sketch. `code` names what is wrong; the message says where. */
export class SketchError extends Error {
  constructor(/** @type {string} */ code, /** @type {string} */ message) {
    super(message);
    this.code = code;
  }
}

/** @param {string} text @returns {Uint8Array} @throws {SketchError} sketch_lines, sketch_line_length, sketch_digit */
export function cellsOf(text) {
  const lines = text.trim().split(/\r\n|\r|\n/).map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""));
  if (lines.length !== SIDE) throw new SketchError("sketch_lines", `A sketch has ${SIDE} lines; this text has ${lines.length}.`);
  lines.forEach((line, index) => {
    const letters = [...line];
    const wrong = letters.findIndex((letter) => !/^[0-9a-f]$/i.test(letter));
    const where = `line ${index + 1}`;
    if (wrong >= 0) {
      throw new SketchError("sketch_digit", `In ${where}, column ${wrong + 1} is “${letters[wrong]}”: a colour is one of 0-9 and a-f.`);
    }
    if (line.length !== SIDE) throw new SketchError("sketch_line_length", `A line has ${SIDE} colours; ${where} has ${line.length}.`);
  });
  return fromDigits(lines.join(""));
}

/** The colours of 4,096 digits. */
export function fromDigits(/** @type {string} */ digits) {
  return Uint8Array.from(digits, (digit) => Number.parseInt(digit, HEX));
}

export function digitsOf(/** @type {Uint8Array} */ cells) {
  return Array.from(cells, (colour) => colour.toString(HEX)).join("");
}

/** The 64 lines of a sketch. */
export function textOf(/** @type {Uint8Array} */ cells) {
  return digitsOf(cells).match(/.{64}/g)?.join("\n") ?? "";
}

/** The cells on a straight line, both ends included. @param {number} from @param {number} to  indices of cells */
export function cellsBetween(from, to) {
  const [x, y, toX, toY] = [from % SIDE, Math.floor(from / SIDE), to % SIDE, Math.floor(to / SIDE)];
  const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y), 1);
  return Array.from({ length: steps + 1 }, (_, step) => {
    return Math.round(y + ((toY - y) * step) / steps) * SIDE + Math.round(x + ((toX - x) * step) / steps);
  });
}

/** The cells of a square brush that stands on its own grid, so that squares meet. @param {number} cell @param {number} size  1, 2, 4 or 8 */
export function cellsUnder(cell, size) {
  const [left, top] = [cell % SIDE, Math.floor(cell / SIDE)].map((place) => place - (place % size));
  return Array.from({ length: size * size }, (_, index) => (top + Math.floor(index / size)) * SIDE + left + (index % size));
}

/** The connected cells (by their sides) of the same colour as `cell`. @param {Uint8Array} cells @param {number} cell */
export function regionOf(cells, cell) {
  const found = new Set([cell]);
  for (const at of found) {
    const x = at % SIDE;
    for (const next of [x > 0 ? at - 1 : -1, x < SIDE - 1 ? at + 1 : -1, at - SIDE, at + SIDE]) {
      if (next >= 0 && next < CELLS && cells[next] === cells[at]) found.add(next);
    }
  }
  return [...found];
}

/** A sketch with what was done to it: everything between `begin` and the next `begin` is undone at once. */
export class Drawing {
  /** @type {Uint8Array[]} */
  #before = [];
  /** @type {Uint8Array[]} */
  #after = [];

  constructor(/** @type {Uint8Array} */ cells) {
    this.cells = cells;
  }

  /** Starts a step that can be undone. */
  begin() {
    this.#before.push(this.cells.slice());
    this.#before.splice(0, this.#before.length - MOST_UNDONE);
    this.#after = [];
  }

  /** @param {Iterable<number>} places @param {number} colour */
  paint(places, colour) {
    for (const place of places) this.cells[place] = colour;
  }

  /** Replaces the whole sketch, as one step. */
  replace(/** @type {Uint8Array} */ cells) {
    this.begin();
    this.cells = cells.slice();
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    return this.#move(this.#before, this.#after);
  }

  redo() {
    return this.#move(this.#after, this.#before);
  }

  /** @param {Uint8Array[]} from @param {Uint8Array[]} to */
  #move(from, to) {
    const cells = from.pop();
    if (!cells) return false;
    to.push(this.cells);
    this.cells = cells;
    return true;
  }
}
