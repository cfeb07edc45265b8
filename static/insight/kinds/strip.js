/** One mark a person, one row a group, marks moved aside so that none hides another; lines at values known of the group. Kinds of marks (`mark`) differ by colour and form. */

import { element } from "../../shared/drawing.js";
import { d3, Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, xAxis } from "../axes.js";
import { beeswarm } from "../beeswarm.js";
import { distinct, labelWidth, plot, setRows, textWidth, truncate } from "../plotting.js";
import { axisLabel, doubt, formatter, groupLabel, linkHint, number, tickNumber } from "../labels.js";
import { groupItems } from "../legend.js";
import { hatching, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Group, Point, Space, Style } from "../types" */
/** @typedef {{label: string, group: Group, value: number, mark?: Group, under_review?: boolean, href?: string | null}} Row */
/** @typedef {{name: string, group: Group, value: number}} Line */
/** @typedef {{colour: string, dash: string | null, width: number}} LineStyle */
/** @typedef {{top: number, middle: number, bottom: number}} Band */
/** @typedef {((value: number) => number) & {ticks(count: number): number[]}} Scale */
/**
 * @typedef {object} Options
 * @property {(Omit<Line, "value"> & {value: number | null})[]} [lines]
 * @property {string} [value_label]
 * @property {string} [group_label]
 */

/** @type {Record<string, LineStyle>} */
const LINES = {
  baseline: { colour: "var(--ink)", dash: null, width: 2.5 },
  best: { colour: "var(--ink)", dash: "5 2", width: 1.5 },
  "fewest known": { colour: "var(--ink)", dash: "1.5 2", width: 1.5 },
};
const OTHER = { colour: "var(--ink-soft)", dash: "8 3 2 3", width: 1.5 };
const [CAPTION, LEAST_HALF, GAP] = [16, 13, 8];
/** The share of a drawing that titles may take. */
const TITLES = 0.32;
const ROUNDEST = [1, 2, 5, 3, 4, 6, 8, 7, 9];

/** @param {Figure<Omit<Row, "value"> & {value: number | null}, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const { value_label: noun, group_label: groupNoun } = figure.options;
  const label = axisLabel(figure, "value", noun);
  const format = formatter(figure, "value", noun);
  const lines = withValue(figure.options.lines ?? []);
  const people = withValue(figure.rows);
  const groups = [...new Set([...distinct(lines, "group"), ...distinct(figure.rows, "group")])];
  const dots = groups.map((group) => people.filter((row) => row.group === group));
  const names = distinct(lines, "name");
  const styles = stylesOf(distinct(people, "mark"), key);
  const style = (/** @type {Row} */ { mark }) => styleOf(styles, mark);
  const hatched = hatching(people, key);
  const head = header(width, [
    ...(styles.size > 1 ? groupItems(styles, "symbol") : []),
    ...names.map((name) => ({ label: name, swatch: /** @type {const} */ ("tick"), style: LINES[name] ?? OTHER })),
    ...hatched.items,
  ]);
  const titles = groups.map((group, index) => counted(groupLabel(group, groupNoun), dots[index].length, width));
  const marginLeft = labelWidth(titles, width, TITLES);
  /** @type {[number, number]} */
  const range = [marginLeft + 6, width - 20];
  const x = scale([...people, ...lines].map(({ value }) => value)).range(range);
  const { radius, rows: swarm } = beeswarm(dots.map((row) => row.map(({ value }) => x(value))), range);
  const bottom = bottomMargin(label, width - marginLeft);
  const bands = bandsOf(swarm, radius, { top: head.height, bottom: height - bottom, caption: names.length ? CAPTION : 0 });
  const end = Math.round(Math.max(height, bands[bands.length - 1].bottom + bottom));
  const marks = dots.flatMap((row, band) => row.map((person, nth) => (
    { ...person, band, px: swarm[band][nth].x, py: bands[band].middle + swarm[band][nth].y })));
  const bandOf = (/** @type {Line} */ { group }) => bands[groups.indexOf(group)];
  const svg = plot({
    width, height: end, marginTop: head.height, marginBottom: bottom, marginLeft, marginRight: 0,
    x: { type: "identity" }, y: { type: "identity", axis: null },
    marks: [
      ticks(x, width - marginLeft, head.height, end - bottom),
      ...xAxis(label, width - marginLeft, { ticks: [] }),
      Plot.text(titles.map((title, band) => ({ title, y: bands[band].middle })), {
        x: marginLeft - 10, y: "y", text: ({ title }) => truncate(title, marginLeft - 10), textAnchor: "end", fill: "currentColor",
      }),
      ...names.map((name) => linesAcross(lines.filter((line) => line.name === name), LINES[name] ?? OTHER, {
        x, bandOf, titleOf: ({ group, value }) => `${groupLabel(group, groupNoun)}, ${name}: ${format(value)}`,
      })),
      Plot.dot(marks, {
        x: "px", y: "py", r: radius, symbol: { value: (row) => style(row).symbol, scale: null }, fill: (row) => style(row).colour,
        title: (row) => markLabel(row, groupNoun, format, styles.size > 1 ? style(row) : null), href: "href",
      }),
      Plot.dot(marks.filter((row) => row.under_review), { x: "px", y: "py", r: radius, symbol: { value: (row) => style(row).symbol, scale: null }, ...hatched.over }),
      captions(lines.filter(({ name }) => name === "baseline"), { x, bandOf, width }),
    ],
  }, [hatched.pattern, ...head.nodes]);
  setRows(svg, marks, ({ band }) => band);
  return svg;
}

/** A row's title with its n, where that has room. @param {string} title @param {number} people @param {number} width */
function counted(title, people, width) {
  const whole = `${title}, n = ${number(people)}`;
  return textWidth(whole) <= width * TITLES ? whole : title;
}

/**
 * @template {{value: number | null}} Given
 * @param {Given[]} rows
 * @returns {(Given & {value: number})[]}
 */
function withValue(rows) {
  return rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]));
}

/** A logarithmic scale; a zero stands before 1. @param {number[]} values */
function scale(values) {
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  if (least <= 0) return d3.scaleSymlog().domain([least, Math.max(0, most) || 1]);
  return d3.scaleLog().domain(least === most ? [least / 2, most * 2] : [least * 0.9, most * 1.1]);
}

/**
 * The places of rows: space for a baseline's caption above the dots, then the dots, then a gap. They share what is left to the bottom.
 * @param {Point[][]} swarm @param {number} radius @param {{top: number, bottom: number, caption: number}} place
 * @returns {Band[]}
 */
function bandsOf(swarm, radius, { top, bottom, caption }) {
  const halves = swarm.map((row) => Math.max(LEAST_HALF, ...row.map(({ y }) => Math.abs(y) + radius + 5)));
  const needed = halves.reduce((sum, half) => sum + caption + 2 * half + GAP, 0) - GAP;
  const spare = Math.max(0, bottom - top - needed) / (2 * halves.length);
  let at = top;
  return halves.map((least) => {
    const half = least + spare;
    const band = { top: at + caption, middle: at + caption + half, bottom: at + caption + 2 * half };
    at = band.bottom + GAP;
    return band;
  });
}

/**
 * Lines of one name, each across its group's row.
 * @param {Line[]} lines
 * @param {LineStyle} style
 * @param {{x: Scale, bandOf: (line: Line) => Band, titleOf: (line: Line) => string}} place
 */
function linesAcross(lines, { colour, width, dash }, { x, bandOf, titleOf }) {
  const at = (/** @type {Line} */ { value }) => x(value);
  return Plot.link(lines, {
    x1: at, x2: at, y1: (line) => bandOf(line).top, y2: (line) => bandOf(line).bottom,
    stroke: colour, strokeWidth: width, strokeDasharray: dash ?? undefined, title: titleOf,
  });
}

/** @param {Scale} x @param {number} length @param {number} top @param {number} bottom */
function ticks(x, length, top, bottom) {
  const shown = readableTicks(x.ticks(Math.max(2, Math.floor(length / 64))), x);
  return () => element("g", { "aria-hidden": "true" }, ...shown.flatMap((tick, index) => [
    element("line", { x1: x(tick), x2: x(tick), y1: top, y2: bottom, stroke: "var(--rule)" }),
    element("text", { x: x(tick), y: bottom + 19, fill: "var(--ink-soft)" }, tickNumber(tick, index, shown)),
  ]));
}

/** Ticks whose numbers have room beside each other; where they are too close, the roundest ones. @param {number[]} all @param {Scale} x */
function readableTicks(all, x) {
  /** @type {number[]} */
  const shown = [];
  const widthOf = (/** @type {number} */ tick) => textWidth(tickNumber(tick, 0, all));
  for (const tick of d3.sort(all, roundness)) {
    const room = (/** @type {number} */ other) => (widthOf(tick) + widthOf(other)) / 2 + 10;
    if (shown.every((other) => Math.abs(x(tick) - x(other)) >= room(other))) shown.push(tick);
  }
  return shown.toSorted((one, other) => one - other);
}

function roundness(/** @type {number} */ tick) {
  return tick > 0 ? ROUNDEST.indexOf(Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9))) : -1;
}

/**
 * "baseline 41" above the first row's line, its number above the others.
 * @param {Line[]} lines
 * @param {{x: Scale, bandOf: (line: Line) => Band, width: number}} place
 */
function captions(lines, { x, bandOf, width }) {
  return () => element("g", { "aria-hidden": "true" }, ...lines.map((line, index) => {
    const caption = index === 0 ? `baseline ${number(line.value)}` : number(line.value);
    const half = textWidth(caption) / 2;
    return element("text", { x: Math.max(half, Math.min(x(line.value), width - half)), y: bandOf(line).top - 4, fill: "currentColor" }, caption);
  }));
}

/** @param {Row} row @param {string | undefined} noun @param {Format} format @param {Style | null} kind */
function markLabel({ label, group, value, href, ...row }, noun, format, kind) {
  const where = groupLabel(group, noun);
  const told = [label, typeof group === "number" ? where.toLowerCase() : where, ...(kind ? [kind.label] : []), format(value)];
  return `${told.join(", ")}${doubt(row)}${linkHint(href)}`;
}
