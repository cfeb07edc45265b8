/** One mark a row by two measures, perhaps with a frontier. Groups differ by colour and form; marks at one place are spread around it. */

import { d3, Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, xAxis, yAxis } from "../axes.js";
import { spread } from "../beeswarm.js";
import { distinct, plot, textWidth } from "../plotting.js";
import { axisLabel, doubt, formatter, linkHint, tickNumber } from "../labels.js";
import { groupItems } from "../legend.js";
import { hatching, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Group, Space, Style } from "../types" */
/** @typedef {{label: string, x: number, y: number, group?: Group, frontier?: boolean, under_review?: boolean, href?: string | null}} Row */
/** `x_log`: a logarithmic scale where all values allow one. @typedef {{x_label?: string, y_label?: string, x_log?: boolean}} Options */

const LEAST = 180;
const CROWD = 400;
const TOP = 6;
const MARGIN = 60;

/** @param {Figure<Omit<Row, "x" | "y"> & {x: number | null, y: number | null}, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const rows = figure.rows.flatMap(({ x, y, ...row }) => (x === null || y === null ? [] : [{ ...row, x, y }]));
  const groups = distinct(rows, "group");
  const styles = stylesOf(groups, key);
  const style = (/** @type {Row} */ { group }) => styleOf(styles, group);
  const xLabel = axisLabel(figure, "x", figure.options.x_label);
  const formatX = formatter(figure, "x", figure.options.x_label);
  const formatY = formatter(figure, "y", figure.options.y_label);
  const hatched = hatching(rows, key);
  const head = header(width, [...groupItems(styles, "symbol"), ...hatched.items], axisLabel(figure, "y", figure.options.y_label));
  const bottom = bottomMargin(xLabel, width - MARGIN);
  const tall = Math.max(height, head.height + LEAST);
  const radius = rows.length > CROWD ? 3 : 4.5;
  const y = scale(figure, "y", rows.map((row) => row.y)).range([tall - bottom, head.height + TOP]);
  const marginLeft = Math.ceil(Math.max(...y.ticks(5).map(tickNumber).map(textWidth))) + 18;
  const x = scale(figure, "x", rows.map((row) => row.x)).range([marginLeft, width - 16]);
  const frontier = rows.filter((row) => row.frontier).toSorted((one, other) => one.x - other.x);
  const places = spread(rows.map((row) => ({ x: x(row.x), y: y(row.y) })), radius, {
    left: marginLeft, right: width - 16, top: head.height + TOP, bottom: tall - bottom,
  });
  return plot({
    width, height: tall, marginTop: head.height + TOP, marginBottom: bottom, marginLeft, marginRight: 16,
    x: { domain: x.domain(), type: isLog(x) ? "log" : "linear" }, y: { domain: y.domain(), type: isLog(y) ? "log" : "linear" },
    marks: [
      ...yAxis(),
      ...xAxis(xLabel, width - MARGIN),
      Plot.ruleY([y.domain()[0]], { stroke: "var(--ink-soft)" }),
      Plot.line(frontier, { x: "x", y: "y", curve: "step-after", stroke: "var(--ink-soft)", strokeWidth: 1.5 }),
      ...names(frontier, (row) => x(row.x) - textWidth(row.label) - 8 > marginLeft),
      Plot.dot(rows, {
        x: { value: (_, index) => places[index].x, scale: null }, y: { value: (_, index) => places[index].y, scale: null }, r: radius,
        symbol: { value: (row) => style(row).symbol, scale: null },
        fill: (row) => style(row).colour, fillOpacity: rows.length > CROWD ? 0.5 : 0.8,
        title: (row) => markLabel(row, formatX, formatY, groups.length > 1 ? style(row) : null), href: "href",
      }),
      Plot.dot(rows, {
        filter: (row) => row.under_review, x: { value: (_, index) => places[index].x, scale: null }, y: { value: (_, index) => places[index].y, scale: null },
        r: radius, symbol: { value: (row) => style(row).symbol, scale: null }, ...hatched.over,
      }),
    ],
  }, [hatched.pattern, ...head.nodes]);
}

/** The names of the marks on the frontier, above it: to the left where there is room. @param {Row[]} frontier @param {(row: Row) => boolean} fits */
function names(frontier, fits) {
  const text = { x: "x", y: "y", text: "label", dy: -10, fill: "currentColor", ariaHidden: "true" };
  return [
    Plot.text(frontier.filter(fits), { ...text, dx: -6, textAnchor: "end" }),
    Plot.text(frontier.filter((row) => !fits(row)), { ...text, dx: -4, textAnchor: "start" }),
  ];
}

/**
 * A scale of one axis: of shares from 0 to 100 %, logarithmic where that is asked for and possible, else from zero or, for values close together, around them.
 * @param {Pick<Figure<Row, Options>, "columns" | "options">} figure @param {"x" | "y"} axis @param {number[]} values
 */
function scale(figure, axis, values) {
  if (figure.columns.find(({ name }) => name === axis)?.unit === "%") return d3.scaleLinear([0, Math.max(100, ...values)], [0, 1]);
  if (axis === "x" && figure.options.x_log && values.every((value) => value > 0)) return d3.scaleLog(decades(values), [0, 1]);
  return d3.scaleLinear(domain(values), [0, 1]).nice();
}

function isLog(/** @type {object} */ one) {
  return "base" in one;
}

/** From zero, unless the values lie close together far from it. @param {number[]} values */
function domain(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return least === 0 ? [0, 1] : [Math.min(0, 2 * least), Math.max(0, 2 * least)];
  if (least > 0) return [least < most / 2 ? 0 : least, most];
  return [least, Math.max(most, 0)];
}

/** From the power of ten below to the one above. @param {number[]} values */
function decades(values) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** @param {Row} row @param {Format} formatX @param {Format} formatY @param {Style | null} style */
function markLabel({ label, x, y, href, ...row }, formatX, formatY, style) {
  return `${label}${style ? `, ${style.label}` : ""}: ${formatX(x)}, ${formatY(y)}${doubt(row)}${linkHint(href)}`;
}
