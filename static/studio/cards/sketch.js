/**
 * A sketch of a level: 4,096 colours in reading order, pasted as 64 lines of 64 hexadecimal digits
 * as `playtest/rules/cards.py` writes them, refused with codes (tests/studio/sketch_texts.py).
 */

import { SIDE } from "../../shared/codec.js";

/** The lines of pasted text. */
function linesOf(/** @type {string} */ text) {
  return text.trim().split(/\r\n|\r|\n/).map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""));
}

/** The digits of pasted text, of which `problemOf` finds nothing wrong. */
export function digitsOf(/** @type {string} */ text) {
  return linesOf(text).join("").toLowerCase();
}

/** What is wrong with pasted text, and where: a sentence and a code, or nothing. */
export function problemOf(/** @type {string} */ text) {
  const lines = linesOf(text);
  if (lines.length !== SIDE) return `A sketch has ${SIDE} lines; this text has ${lines.length}. (sketch_lines)`;
  for (const [index, line] of lines.entries()) {
    const letters = [...line];
    const wrong = letters.findIndex((letter) => !/^[0-9a-f]$/i.test(letter));
    const where = `line ${index + 1}`;
    if (wrong >= 0) return `In ${where}, column ${wrong + 1} is “${letters[wrong]}”: a colour is one of 0-9 and a-f. (sketch_digit)`;
    if (line.length !== SIDE) return `A line has ${SIDE} colours; ${where} has ${line.length}. (sketch_line_length)`;
  }
  return "";
}

/** The 64 lines of a sketch's digits. */
export function textOf(/** @type {string} */ digits) {
  return digits.match(/.{64}/g)?.join("\n") ?? "";
}

/** The colours of 4,096 digits. */
export function cellsOf(/** @type {string} */ digits) {
  return Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16));
}
