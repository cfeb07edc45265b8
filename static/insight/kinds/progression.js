/** Steps of each series, in parallel lanes where they would overlap, with its name on the right; the one pointed at stands out. */

import { element } from "../../shared/drawing.js";
import { d3 } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis, yAxis } from "../axes.js";
import { apart, roomFor } from "../direct-labels.js";
import { linkedMark, plot, textWidth, truncate } from "../plotting.js";
import { axisLabel, formatter, linkHint, number } from "../labels.js";

/** @import { Drawing, Figure, Format, Space } from "../types" */
/** @typedef {{series: string, x: number, y: number, label?: string | null, group?: string | null, href?: string | null}} Row */
/** @typedef {{x_label?: string, y_label?: string}} Options */
/** @typedef {{rows: Row[], end: Row, lane: number}} Series */
/** @typedef {(value: number) => number} Scale */
/** @typedef {{x: Scale, y: Scale}} Scales */
/** @typedef {{right: number, top: number, bottom: number}} Box */

const [LEAST, LANES, LEAD] = [200, 0.62, 12];
const FEW = 60;
/** The group whose lines stand out. */
const BOLD = "agents";
/** Pixels of the longest label. */
const WIDEST = 180;

/** @param {Figure<Omit<Row, "x" | "y"> & {x: number | null, y: number | null}, Options>} figure @param {Space} space */
export function draw(figure, { width, height }) {
  const rows = figure.rows.flatMap(({ x, y, ...row }) => (x === null || y === null ? [] : [{ ...row, x, y }]));
  const xLabel = axisLabel(figure, "x", figure.options.x_label);
  const series = inLanes([...Map.groupBy(rows, (row) => row.series).values()].map((own) => own.toSorted((one, other) => one.x - other.x)));
  const most = Math.max(1, ...rows.map(({ y }) => y));
  const head = header(width, [], axisLabel(figure, "y", figure.options.y_label));
  const tall = Math.max(height, head.height + LEAST);
  const labels = series.map(({ end }) => end.label ?? "");
  const marginRight = Math.ceil(Math.min(width * 0.3, WIDEST, Math.max(...labels.map(textWidth)))) + LEAD + 4;
  const marginLeft = textWidth(number(most)) + 18;
  const bottom = bottomMargin(xLabel, width - marginLeft - marginRight);
  const svg = plot({
    width, height: tall,
    marginTop: head.height, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: [0, Math.max(...rows.map(({ x }) => x)) || 1] },
    y: { domain: [Math.min(0, ...rows.map(({ y }) => y)) - 0.5, most + 0.5] },
    marks: [
      ...yAxis({ ticks: integerTicks(most, tall - head.height, 24) }),
      ...xAxis(xLabel, width - marginLeft - marginRight),
    ],
  }, head.nodes);
  const scales = { x: scaleOf(svg, "x"), y: scaleOf(svg, "y") };
  const formatX = formatter(figure, "x", figure.options.x_label);
  const formatY = formatter(figure, "y", figure.options.y_label);
  const few = series.length <= FEW;
  const lines = series.map((one, index) => lineOf(one, index, scales, few));
  const dots = series.map((one, index) => dotsOf(one, index, scales, few, (row) => markLabel(row, formatX, formatY)));
  addLabels(series, lines, scales, { right: width - marginRight, top: head.height, bottom: tall - bottom });
  svg.append(...lines, ...dots);
  return svg;
}

/** @param {Drawing} svg @param {"x" | "y"} axis @returns {Scale} */
function scaleOf(svg, axis) {
  const scale = svg.scale(axis);
  if (!scale) throw new TypeError(`the drawing has no scale ${axis}`);
  return scale.apply;
}

/** Each series with a lane of its own within a level, so that many at one level lie beside each other. @param {Row[][]} all @returns {Series[]} */
function inLanes(all) {
  const whole = all.every((rows) => rows.every(({ y }) => Number.isInteger(y)));
  const ends = all.map((rows) => rows[rows.length - 1]);
  const order = [...all.keys()].toSorted((one, other) => ends[one].x - ends[other].x);
  return all.map((rows, index) => ({
    rows, end: ends[index], lane: whole && all.length > 1 ? LANES * (order.indexOf(index) / (all.length - 1) - 0.5) : 0,
  }));
}

/**
 * A series' line, and a wider invisible one to point at. All lines lie behind all dots.
 * @param {Series} series @param {number} index @param {Scales} scales @param {boolean} few
 */
function lineOf({ rows, end, lane }, index, { x, y }, few) {
  const d = d3.line(/** @param {Row} row */ (row) => x(row.x), (row) => y(row.y + lane)).curve(d3.curveStepAfter)(rows);
  const href = rows.findLast((row) => row.href)?.href;
  const path = (/** @type {Record<string, string | number | null>} */ attributes) => element("path", { d, fill: "none", ...attributes });
  const visible = path(end.group === BOLD
    ? { stroke: "var(--series-1)", "stroke-width": 2.5 }
    : { stroke: "var(--ink-soft)", "stroke-width": 1.25, "stroke-opacity": few ? 0.55 : 0.25 });
  const wide = path({ stroke: "transparent", "stroke-width": 9, "data-tip": `${end.series}${end.label ? `: ${end.label}` : ""}` });
  return element("g", { "data-series": index }, visible, href ? element("a", { href, tabindex: -1, "aria-hidden": "true" }, wide) : wide);
}

/** @param {Series} series @param {number} index @param {Scales} scales @param {boolean} few @param {(row: Row) => string} titleOf */
function dotsOf({ rows, end, lane }, index, { x, y }, few, titleOf) {
  return element("g", { "data-series": index }, ...rows.filter((row) => row.href).map((row) => {
    const dot = element("circle", { cx: x(row.x), cy: y(row.y + lane), r: few ? 2.5 : 1.75, fill: end.group && end.group !== BOLD ? "var(--ink-soft)" : "var(--series-1)" });
    const link = linkedMark(dot, titleOf(row), row.href);
    link.setAttribute("data-row", String(index));
    return link;
  }));
}

/**
 * Names on the right, one below the other in the order of the ends, each led to from the end of its line: the highest as far as there is room.
 * @param {Series[]} series @param {SVGElement[]} groups  one a series @param {Scales} scales @param {Box} place  of the lines
 */
function addLabels(series, groups, { x, y }, { right, top, bottom }) {
  const named = [...series.keys()].filter((index) => series[index].end.label);
  const heightOf = (/** @type {number} */ index) => y(series[index].end.y + series[index].lane);
  const shown = named.toSorted((one, other) => heightOf(one) - heightOf(other)).slice(0, roomFor(bottom - top));
  const places = apart(shown.map(heightOf), top, bottom, Infinity) ?? [];
  for (const [nth, index] of shown.entries()) {
    const { end } = series[index];
    const d = `M${x(end.x) + 4} ${heightOf(index)}H${right}L${right + LEAD} ${places[nth]}`;
    groups[index].append(
      element("path", { d, fill: "none", stroke: "var(--rule)", "aria-hidden": "true", "pointer-events": "none" }),
      element("text", {
        x: right + LEAD + 3, y: places[nth], dy: "0.34em", "text-anchor": "start", fill: "currentColor", "aria-hidden": "true", "pointer-events": "none",
      }, truncate(end.label ?? "", WIDEST)),
    );
  }
}

/** @param {Row} row @param {Format} formatX @param {Format} formatY */
function markLabel({ series, x, y, label, href }, formatX, formatY) {
  return `${series}: ${formatX(x)}, ${formatY(y)}${label ? `, ${label}` : ""}${linkHint(href)}`;
}
