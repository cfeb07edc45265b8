/** Colours, patterns, symbols and dashes of outcomes and other groups: told apart in grey, and by form. */

import { d3 } from "../vendor/plot/plot.js";
import { element } from "./drawing.js";

/**
 * Outcomes in the order in which they are stacked. Their colours are in figures.css, light and dark; a pattern tells apart those whose
 * lightness comes near another's.
 */
export const OUTCOMES = Object.freeze([
  { name: "completed", words: "completed" },
  { name: "gave_up", words: "gave up" },
  { name: "concluded", words: "concluded" },
  { name: "timed_out", words: "timed out" },
  { name: "left_at_once", words: "left at once", pattern: "lines" },
  { name: "session_over", words: "session over", pattern: "dots" },
  { name: "fault", words: "fault", pattern: "cross" },
  { name: "open", words: "still playing", pattern: "stripes" },
]);

const PLACES = new Map(OUTCOMES.map(({ name }, place) => [name, place]));
const PATTERNS = {
  dots: "M1,2a1,1 0 1,0 2,0a1,1 0 1,0 -2,0M5,6a1,1 0 1,0 2,0a1,1 0 1,0 -2,0",
  cross: "M0,0L8,8M8,0L0,8",
  lines: "M0,2H8M0,6H8",
  stripes: "M-2,2L2,-2M0,8L8,0M6,10L10,6",
};
const SYMBOLS = [d3.symbolCircle, d3.symbolTriangle, d3.symbolSquare, d3.symbolDiamond, d3.symbolStar, d3.symbolCross];
const DASHES = [null, "6 3", "2 3", "10 3 2 3", "1 5", "12 4"];
const SERIES = 6;

/** Groups as they are stacked and listed: outcomes in their own order, others as they come. */
export function inOrder(groups) {
  return groups.every((group) => PLACES.has(group)) ? [...groups].sort((one, other) => PLACES.get(one) - PLACES.get(other)) : groups;
}

/**
 * How each group looks: `fill` of an area, `stroke` of its edge, `ink` of what is written on it; `colour`, `dash` and `symbol` of its
 * lines and dots.
 * @param {(string | number | null | undefined)[]} groups
 * @param {string} key  of the figure, unique in the page: patterns are named after it
 */
export function looksOf(groups, key) {
  const outcomes = groups.every((group) => PLACES.has(group));
  const look = (group, index) => (outcomes ? outcomeLook(group, key) : seriesLook(group, index));
  return new Map(groups.map((group, index) => [group, { ...look(group, index), ...form(index) }]));
}

function form(index) {
  return { symbol: SYMBOLS[index % SYMBOLS.length], dash: DASHES[index % DASHES.length] };
}

function outcomeLook(name, key) {
  const { words, pattern } = OUTCOMES[PLACES.get(name)];
  const variable = `--outcome-${name}`;
  return { name, words, pattern, ...colours(variable), ...(pattern ? { fill: `url(#${key}-${name})` } : {}) };
}

function seriesLook(name, index) {
  return { name, words: name == null || name === "" ? "other" : String(name), ...colours(`--series-${(index % SERIES) + 1}`) };
}

function colours(variable) {
  const [plain, edge] = [`var(${variable})`, `var(${variable}-edge)`];
  return { fill: plain, plain, colour: edge, stroke: edge, ink: `var(${variable}-ink)` };
}

/** The patterns these looks use, to be put into the drawing; null when they use none. */
export function patterns(looks, key) {
  const patterned = [...looks.values()].filter((look) => look.pattern);
  return patterned.length ? element("defs", {}, ...patterned.map((look) => pattern(look, key))) : null;
}

function pattern(look, key) {
  const filled = look.pattern === "dots";
  return element("pattern", { id: `${key}-${look.name}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    element("rect", { width: 8, height: 8, fill: look.plain }),
    element("path", { d: PATTERNS[look.pattern], stroke: filled ? null : look.ink, fill: filled ? look.ink : "none", opacity: 0.6 }));
}
