/** Names beside what they name, in place of a legend, where all of them fit. */

import { element } from "../shared/drawing.js";
import { textWidth } from "./plotting.js";

/** @import { Style } from "./types" */
/** @typedef {{text: string, wanted: number, style: Style}} LineEnd */

const LINE = 15;
/** Pixels that a name may be from the end of its line, and the most of a drawing's width that names may take. */
const [FARTHEST, SHARE] = [45, 0.3];
const [SAMPLE, GAP] = [16, 5];

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

/** How many lines of text a height in pixels has room for. */
export function roomFor(/** @type {number} */ height) {
  return Math.floor(height / LINE) + 1;
}

/**
 * Places a line of text apart between two bounds, each near the wanted one; null if one would be too far from it.
 * @param {number[]} wanted @param {number} least @param {number} most
 */
export function apart(wanted, least, most, farthest = FARTHEST) {
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
  return places.every((place, index) => place >= least && Math.abs(place - wanted[index]) <= farthest) ? places : null;
}
