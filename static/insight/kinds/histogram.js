/** How many people lie within each interval, stacked by group, with a line at a value to compare with. */

import { element } from "../../shared/drawing.js";
import { d3, Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis, yAxis } from "../axes.js";
import { distinct, plot, setRows, textWidth } from "../plotting.js";
import { axisLabel, doubt, formatter, linkHint, number, wholeNumber } from "../labels.js";
import { groupItems } from "../legend.js";
import { hatching, patterns, stackingOrder, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Group, Space, Style } from "../types" */
/** @typedef {{low: number, high: number | null, people: number, under_review?: number, group?: Group, href?: string | null}} Row */
/** @typedef {Row & {high: number, open: boolean}} Interval */
/** @typedef {Interval & {from: number, to: number}} Bin */
/** @typedef {{line?: {name: string, value: number}, x_label?: string, y_label?: string}} Options */

const [LEAST, RIGHT, NAMES, GAP] = [140, 16, 16, 5];
const LINE = { colour: "var(--ink)", dash: "5 2", width: 1.5 };

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const rows = closed(figure.rows);
  const lines = figure.options.line ? [figure.options.line] : [];
  const label = axisLabel(figure, "low", figure.options.x_label);
  const counting = axisLabel(figure, "people", figure.options.y_label);
  const format = formatter(figure, "people", figure.options.y_label);
  const groups = stackingOrder(distinct(rows, "group"));
  const styles = stylesOf(groups, key);
  const style = (/** @type {Row} */ { group }) => styleOf(styles, group);
  const bins = stacked(rows.filter(({ people }) => people > 0), groups);
  const most = Math.max(1, ...bins.map(({ to }) => to));
  const ends = [...rows.flatMap(({ low, high }) => [low, high]), ...lines.map(({ value }) => value)];
  const marginLeft = textWidth(number(most)) + 16;
  const x = d3.scaleLinear([Math.min(0, ...ends), Math.max(...ends)], [marginLeft, width - RIGHT]);
  const hatched = hatching(rows, key);
  const head = header(width, [...groupItems(styles, "box"), ...hatched.items], counting);
  const above = lines.length ? NAMES : 0;
  const svg = plot({
    width, height: Math.max(height, head.height + LEAST),
    marginTop: head.height + 4 + above, marginBottom: bottomMargin(label, width - marginLeft), marginLeft, marginRight: RIGHT,
    x: { domain: x.domain() },
    y: { domain: [0, most], nice: true },
    marks: [
      ...yAxis({ ticks: integerTicks(most, Math.max(LEAST, height - head.height), 40), tickFormat: wholeNumber }),
      ...xAxis(label, width - marginLeft, { ticks: edges(rows, width) }),
      Plot.rect(bins, {
        x1: "low", x2: "high", y1: "from", y2: "to", inset: 0.5, fill: (row) => style(row).fill, stroke: (row) => style(row).stroke,
        title: (row) => markLabel(row, format, groups.length > 1 ? style(row) : null), href: "href",
      }),
      Plot.rect(bins.filter((row) => row.under_review), {
        x1: "low", x2: "high", y1: (row) => row.to - (row.under_review ?? 0), y2: "to", inset: 0.5, ...hatched.over,
      }),
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
      Plot.ruleX(lines, {
        x: "value", insetTop: -above, stroke: LINE.colour, strokeWidth: LINE.width, strokeDasharray: LINE.dash, title: lineName,
      }),
      () => element("g", { "aria-hidden": "true" }, ...lines.map((line) => nameBeside(line, x(line.value), head.height + NAMES - 4, width))),
    ],
  }, [patterns(styles, key), hatched.pattern, ...head.nodes]);
  setRows(svg, bins, ({ low }) => low, { stacked: true });
  return svg;
}

/** @param {{name: string, value: number}} line */
function lineName({ name, value }) {
  return `${name}: ${number(value)}`;
}

/** To the left of its line where there is no room to the right. @param {{name: string, value: number}} line @param {number} at @param {number} y @param {number} width */
function nameBeside(line, at, y, width) {
  const fits = at + GAP + textWidth(lineName(line)) <= width;
  return element("text", { x: fits ? at + GAP : at - GAP, y, "text-anchor": fits ? "start" : "end", fill: "currentColor" }, lineName(line));
}

/** Every interval with an end. The last may be open ("30 and more") and is drawn as wide as the first. @param {Row[]} rows @returns {Interval[]} */
function closed(rows) {
  const first = rows.find(({ high }) => high != null);
  const width = (first?.high ?? 0) - (first?.low ?? 0) || 1;
  return rows.map((row) => ({ ...row, open: row.high == null, high: row.high ?? row.low + width }));
}

/** Edges of intervals as ticks, also of empty ones, as many as the axis has room for. @param {Interval[]} rows @param {number} width */
function edges(rows, width) {
  const step = Math.min(...rows.map(({ low, high }) => high - low));
  const found = [...new Set(rows.flatMap(({ low, high }) => [low, high]))].toSorted((one, other) => one - other);
  const first = found[0] > 0 ? found[0] % step : found[0];
  const even = d3.range(first, found[found.length - 1] + step / 2, step);
  const all = found.every((edge) => even.some((other) => Math.abs(edge - other) < step / 1000)) ? even : found;
  const every = Math.ceil((all.length * 44) / width);
  return all.filter((_, index) => index % every === 0);
}

/** @param {Interval[]} rows @param {Group[]} groups @returns {Bin[]} */
function stacked(rows, groups) {
  /** @type {Map<number, number>} */
  const tops = new Map();
  return groups.flatMap((group) => rows.filter((row) => row.group === group)).map((row) => {
    const from = tops.get(row.low) ?? 0;
    tops.set(row.low, from + row.people);
    return { ...row, from, to: from + row.people };
  });
}

/** @param {Bin} bin @param {Format} format @param {Style | null} style */
function markLabel({ low, high, open, people, href, ...row }, format, style) {
  const range = open ? `${number(low)} and more` : `${number(low)} to ${number(high)}`;
  return `${range}${style ? `, ${style.label}` : ""}: ${format(people)}${doubt(row)}${linkHint(href)}`;
}
