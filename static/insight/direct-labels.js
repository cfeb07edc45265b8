/** Names beside what they name, in place of a legend, where all of them fit. */

import { element } from "../shared/drawing.js";
import { textWidth } from "./plotting.js";

/** @import { Style } from "./types" */
/** @typedef {{text: string, wanted: number, style: Style}} LineEnd */
/** @typedef {{text: string, at: number}} Mark */
/** @typedef {{text: string, x: number, anchor: "start" | "end"}} Placed */

const LINE = 15;
/** Pixels that a name may be from the end of its line, and the most of a drawing's width that names may take. */
const [FARTHEST, SHARE] = [45, 0.3];
const [SAMPLE, GAP] = [16, 5];
/** Every choice of sides for more is tried too often. */
const MOST_MARKS = 5;

/**
 * Names at the right ends of lines, each after a piece of its line; null where they need too much room.
 * @param {LineEnd[]} ends
 * @param {{width: number, least: number, most: number}} place  of the drawing, and of the ends from above to below
 * @returns {{width: number, node(left: number): SVGElement} | null}
 */
export function lineEnds(ends, { width, least, most }) {
  const needed = Math.ceil(Math.max(...ends.map(({ text }) => textWidth(text)))) + SAMPLE + 2 * GAP;
  const places = apart(ends.map(({ wanted }) => wanted), least, most);
  if (needed > width * SHARE || !places) return null;
  const node = (/** @type {number} */ left) => element("g", { "aria-hidden": "true", "text-anchor": "start" }, ...ends.flatMap(({ text, style }, index) => [
    element("line", {
      x1: left + GAP, x2: left + GAP + SAMPLE, y1: places[index], y2: places[index], stroke: style.colour, "stroke-width": 2, "stroke-dasharray": style.dash,
    }),
    element("text", { x: left + SAMPLE + 2 * GAP, y: places[index], dy: "0.34em", fill: "currentColor" }, text),
  ]));
  return { width: needed, node };
}

/**
 * Places a line of text apart between two bounds, each near the wanted one; null if one would be too far from it.
 * @param {number[]} wanted @param {number} least @param {number} most
 */
export function apart(wanted, least, most) {
  const order = [...wanted.keys()].toSorted((one, other) => wanted[one] - wanted[other]);
  const places = [...wanted];
  let free = least;
  for (const index of order) {
    places[index] = Math.max(wanted[index], free);
    free = places[index] + LINE;
  }
  let bound = most;
  for (const index of order.toReversed()) {
    places[index] = Math.min(places[index], bound);
    bound = places[index] - LINE;
  }
  return places.every((place, index) => place >= least && Math.abs(place - wanted[index]) <= FARTHEST) ? places : null;
}

/**
 * Names beside the upper ends of vertical lines, left or right of them; null if no choice of sides has room for all.
 * @param {Mark[]} marks @param {number} width
 * @returns {Placed[] | null}
 */
export function besideLines(marks, width) {
  if (marks.length > MOST_MARKS) return null;
  for (let sides = 0; sides < 2 ** marks.length; sides += 1) {
    const boxes = marks.map(({ text, at }, index) => {
      const length = textWidth(text) + GAP;
      return sides & (1 << index) ? { text, anchor: /** @type {const} */ ("end"), left: at - length, right: at } : { text, anchor: /** @type {const} */ ("start"), left: at, right: at + length };
    });
    const free = boxes.every((one, index) => one.left >= 0 && one.right <= width
      && boxes.every((other, nth) => nth === index || one.right + GAP < other.left || other.right + GAP < one.left || touches(one, other)));
    if (free) return boxes.map(({ text, anchor }, index) => ({ text, anchor, x: marks[index].at + (anchor === "start" ? GAP : -GAP) }));
  }
  return null;
}

/** Whether two names lie on both sides of one place. @param {{left: number, right: number}} one @param {{left: number, right: number}} other */
function touches(one, other) {
  return one.right === other.left || other.right === one.left;
}
