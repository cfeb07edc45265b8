/** Colours, patterns and symbols of outcomes and other groups: told apart in grey too, and by form. */

import { element } from "./drawing.js";

/**
 * Outcomes in the order in which they are stacked. Colours are in figures.css, light and dark; `pattern` tells apart those whose
 * lightness is near another's.
 */
export const OUTCOMES = [
  { name: "completed", words: "completed", pattern: null },
  { name: "gave_up", words: "gave up", pattern: null },
  { name: "concluded", words: "concluded", pattern: null },
  { name: "timed_out", words: "timed out", pattern: null },
  { name: "session_over", words: "session over", pattern: "dots" },
  { name: "fault", words: "fault", pattern: "cross" },
  { name: "open", words: "still playing", pattern: "stripes" },
];

const BY_NAME = new Map(OUTCOMES.map((outcome) => [outcome.name, outcome]));
const PATTERNS = {
  dots: "M1,2a1,1 0 1,0 2,0a1,1 0 1,0 -2,0M5,6a1,1 0 1,0 2,0a1,1 0 1,0 -2,0",
  cross: "M0,0L8,8M8,0L0,8",
  stripes: "M-2,2L2,-2M0,8L8,0M6,10L10,6",
};
const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "times"];
const DASHES = [null, "6 3", "2 3", "10 3 2 3", "1 5", "12 4"];
const SERIES = 6;

/** How a group looks. `fill` and `ink` (what is written on it) are CSS colours; `dash` is for lines. */
export function looksOf(groups, key) {
  const outcomes = groups.every((group) => BY_NAME.has(group));
  return new Map(groups.map((group, index) => [group, outcomes ? outcomeLooks(group, index, key) : seriesLooks(group, index)]));
}

function outcomeLooks(name, index, key) {
  const { words, pattern } = BY_NAME.get(name);
  return {
    words, pattern, name,
    fill: pattern ? `url(#${key}-${name})` : `var(--outcome-${name})`,
    colour: `var(--outcome-${name})`,
    stroke: `var(--outcome-${name}-edge)`,
    ink: `var(--outcome-${name}-ink)`,
    symbol: SYMBOLS[index % SYMBOLS.length],
    dash: DASHES[index % DASHES.length],
  };
}

function seriesLooks(name, index) {
  const colour = `var(--series-${(index % SERIES) + 1})`;
  return {
    words: name === null || name === "" ? "other" : String(name), pattern: null, name,
    fill: colour, colour, stroke: colour, ink: `var(--series-${(index % SERIES) + 1}-ink)`,
    symbol: SYMBOLS[index % SYMBOLS.length],
    dash: DASHES[index % DASHES.length],
  };
}

/** The patterns that these looks use, to be put into the drawing; null when they use none. */
export function definitions(looks, key) {
  const patterned = [...looks.values()].filter((look) => look.pattern);
  if (!patterned.length) return null;
  return element("defs", {}, ...patterned.map((look) => element("pattern", {
    id: `${key}-${look.name}`, width: 8, height: 8, patternUnits: "userSpaceOnUse",
  },
  element("rect", { width: 8, height: 8, fill: look.colour }),
  element("path", {
    d: PATTERNS[look.pattern], stroke: look.pattern === "dots" ? null : look.ink, "stroke-width": 1,
    fill: look.pattern === "dots" ? look.ink : "none", opacity: 0.7,
  }))));
}
