/** Colours, patterns, symbols and dashes of outcomes and other groups. They differ in grey and by form, too. */

import { element } from "../shared/drawing.js";
import { OUTCOME_LABELS } from "../shared/outcomes.js";
import { d3 } from "../vendor/plot/plot.js";

/** @import { Group, Pattern, Style } from "./types" */

/**
 * Patterns of the outcomes whose lightness is close to another's. The colours are in figures.css, light and dark.
 * @type {Readonly<Record<string, Pattern>>}
 */
const OUTCOME_PATTERNS = {
  left_at_once: "lines", tries_used: "lines", session_over: "dots", ended_by_staff: "bars", fault: "cross", open: "stripes",
};

/**
 * Outcomes in the order in which they are stacked; last come attempts that are still played.
 * @type {readonly {name: string, label: string, pattern?: Pattern}[]}
 */
export const OUTCOMES = Object.entries({ ...OUTCOME_LABELS, open: "still playing" })
  .map(([name, label]) => ({ name, label, pattern: OUTCOME_PATTERNS[name] }));

/** @type {Map<Group, number>} */
const ORDER = new Map(OUTCOMES.map(({ name }, place) => [name, place]));
/** @type {Record<Pattern, string>} */
const PATHS = {
  dots: "M1,2a1,1 0 1,0 2,0a1,1 0 1,0 -2,0M5,6a1,1 0 1,0 2,0a1,1 0 1,0 -2,0",
  bars: "M2,0V8M6,0V8",
  cross: "M0,0L8,8M8,0L0,8",
  lines: "M0,2H8M0,6H8",
  stripes: "M-2,2L2,-2M0,8L8,0M6,10L10,6",
};
const SYMBOLS = [d3.symbolCircle, d3.symbolTriangle, d3.symbolSquare, d3.symbolDiamond, d3.symbolStar, d3.symbolCross];
const DASHES = [null, "6 3", "2 3", "10 3 2 3", "1 5", "12 4"];
const SERIES = 6;

/** The place of an outcome in the stack. */
function placeOf(/** @type {Group} */ outcome) {
  return ORDER.get(outcome) ?? ORDER.size;
}

/**
 * Groups as they are stacked and listed: outcomes in their own order, others as they come.
 * @template {Group} G
 * @param {G[]} groups
 */
export function stackingOrder(groups) {
  return groups.every((group) => ORDER.has(group)) ? groups.toSorted((one, other) => placeOf(one) - placeOf(other)) : groups;
}

/**
 * Returns the style of each group.
 * @param {Group[]} groups
 * @param {string} key  of the figure, unique in the page: patterns are named after it
 * @param {Record<string, string>} [labels]  of groups that are called otherwise here
 * @returns {Map<Group, Style>}
 */
export function stylesOf(groups, key, labels = {}) {
  const outcomes = groups.every((group) => ORDER.has(group));
  return new Map(groups.map((group, index) => [
    group,
    { ...(outcomes ? outcomeStyle(group, key, labels) : seriesStyle(group, index)), symbol: SYMBOLS[index % SYMBOLS.length], dash: DASHES[index % DASHES.length] },
  ]));
}

/** The style of a group that `stylesOf` was given. @param {Map<Group, Style>} styles @param {Group} group @returns {Style} */
export function styleOf(styles, group) {
  const style = styles.get(group);
  if (!style) throw new RangeError(`no style for the group ${group}`);
  return style;
}

/** @param {Group} name @param {string} key @param {Record<string, string>} labels */
function outcomeStyle(name, key, labels) {
  const { label: usual, pattern } = OUTCOMES[placeOf(name)];
  const label = labels[String(name)] ?? usual;
  const variable = `--outcome-${name}`;
  return { name, label, pattern, ...colours(variable), ...(pattern ? { fill: `url(#${key}-${name})` } : {}) };
}

/** @param {Group} name @param {number} index */
function seriesStyle(name, index) {
  return { name, label: name == null || name === "" ? "other" : String(name), ...colours(`--series-${(index % SERIES) + 1}`) };
}

function colours(/** @type {string} */ variable) {
  const plain = `var(${variable})`;
  const edge = `var(${variable}-edge, ${plain})`;
  return { fill: plain, plain, colour: edge, stroke: edge, ink: `var(${variable}-ink, #000000)` };
}

/**
 * What lies over the marks of people under review, whatever their outcome; its item of the legend, and its pattern. None of them if nobody is.
 * @param {{under_review?: number | boolean | null}[]} rows @param {string} key
 */
export function hatching(rows, key) {
  const id = `${key}-under-review`;
  const fill = `url(#${id})`;
  /** @type {import("./types").LegendItem[]} */
  const items = rows.some((row) => row.under_review) ? [{ label: "under review", swatch: "box", style: { fill, stroke: "var(--ink)" } }] : [];
  const pattern = element("pattern", { id, width: 5, height: 5, patternUnits: "userSpaceOnUse" },
    element("path", { d: "M-1,6L6,-1M-1,1L1,-1M4,6L6,4", stroke: "var(--paper)", "stroke-width": 2.5 }),
    element("path", { d: "M-1,6L6,-1M-1,1L1,-1M4,6L6,4", stroke: "var(--ink)", "stroke-width": 1.25 }));
  return { items, over: { fill, stroke: "var(--ink)", pointerEvents: "none", ariaHidden: "true" }, pattern: items.length ? element("defs", {}, pattern) : null };
}

/** The definitions of the patterns that these styles use; null if they use none. @param {Map<Group, Style>} styles @param {string} key */
export function patterns(styles, key) {
  const made = [...styles.values()].flatMap((style) => (style.pattern ? [patternOf(style, PATHS[style.pattern], key)] : []));
  return made.length ? element("defs", {}, ...made) : null;
}

/** @param {Style} style @param {string} path @param {string} key */
function patternOf(style, path, key) {
  const filled = style.pattern === "dots";
  return element("pattern", { id: `${key}-${style.name}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    element("rect", { width: 8, height: 8, fill: style.plain }),
    element("path", { d: path, stroke: filled ? null : style.ink, fill: filled ? style.ink : "none", opacity: 0.6 }));
}
