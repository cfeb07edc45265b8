/** Steps of each series, in parallel lanes where they would overlap; the one pointed at stands out. */

import { element } from "../../shared/drawing.js";
import { d3 } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis, yAxis } from "../axes.js";
import { linkedMark, plot, textWidth, truncate } from "../plotting.js";
import { axisLabel, formatter, linkHint, number } from "../labels.js";

/** @import { Drawing, Figure, Format, Space } from "../types" */
/** @typedef {{series: string, x: number, y: number, label?: string | null, group?: string | null, href?: string | null}} Row */
/** @typedef {{x_label?: string, y_label?: string}} Options */
/** @typedef {{rows: Row[], end: Row, lane: number}} Series */
/** @typedef {(value: number) => number} Scale */
/** @typedef {{x: Scale, y: Scale}} Scales */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

const [LEAST, LANES, LABEL] = [200, 0.62, 14];
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
  const marginRight = Math.ceil(Math.min(width * 0.3, WIDEST, Math.max(...labels.map(textWidth)))) + 12;
  const marginLeft = textWidth(number(most)) + 18;
  const svg = plot({
    width, height: tall,
    marginTop: head.height, marginBottom: bottomMargin(xLabel, width - marginLeft - marginRight), marginLeft, marginRight,
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
  addLabels(series, dots, scales, width);
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
  const path = (/** @type {Record<string, string | number>} */ attributes) => element("path", { d, fill: "none", ...attributes });
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
 * Adds labels at the ends of series, the farthest first, only where neither a label nor a dot is.
 * @param {Series[]} series @param {SVGElement[]} groups  one a series @param {Scales} scales @param {number} width
 */
function addLabels(series, groups, { x, y }, width) {
  const taken = series.flatMap(({ rows, lane }) => rows.map((row) => boxAround(x(row.x), y(row.y + lane), 3, 3)));
  const order = [...series.keys()].toSorted((one, other) => series[other].end.y - series[one].end.y || series[one].end.x - series[other].end.x);
  for (const index of order) {
    const { end, lane } = series[index];
    const [left, middle] = [x(end.x) + 6, y(end.y + lane)];
    const text = truncate(end.label ?? "", WIDEST);
    const half = textWidth(text) / 2;
    const box = boxAround(left + half, middle, half, LABEL / 2);
    if (!text || box.right > width || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    groups[index].append(element("text", {
      x: left, y: middle, dy: "0.34em", "text-anchor": "start", fill: "currentColor", "aria-hidden": "true", "pointer-events": "none",
      stroke: "var(--paper)", "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke",
    }, text));
  }
}

/** @param {number} x @param {number} y @param {number} halfWidth @param {number} halfHeight @returns {Box} */
function boxAround(x, y, halfWidth, halfHeight) {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

/** @param {Box} one @param {Box} other */
function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** @param {Row} row @param {Format} formatX @param {Format} formatY */
function markLabel({ series, x, y, label, href }, formatX, formatY) {
  return `${series}: ${formatX(x)}, ${formatY(y)}${label ? `, ${label}` : ""}${linkHint(href)}`;
}
