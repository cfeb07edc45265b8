/** How many people lie within each interval, stacked by group, with lines at values to compare with. */

import { element } from "../../shared/drawing.js";
import { d3, Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis, yAxis } from "../axes.js";
import { besideLines } from "../direct-labels.js";
import { distinct, plot, setRows, textWidth } from "../plotting.js";
import { axisLabel, formatter, linkHint, number, wholeNumber } from "../labels.js";
import { groupItems } from "../legend.js";
import { patterns, stackingOrder, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Group, LegendItem, Space, Style } from "../types" */
/** @typedef {{low: number, high: number | null, people: number, group?: Group, href?: string | null}} Row */
/** @typedef {Row & {high: number, open: boolean}} Interval */
/** @typedef {Interval & {from: number, to: number}} Bin */
/** @typedef {{lines?: {name: string, value: number}[], x_label?: string, y_label?: string}} Options */

const [LEAST, RIGHT, NAMES] = [140, 16, 16];
const LINE = { colour: "var(--ink)", dash: "5 2", width: 1.5 };

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const rows = closed(figure.rows);
  const { lines = [] } = figure.options;
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
  const x = d3.scaleLinear([Math.min(...ends), Math.max(...ends)], [marginLeft, width - RIGHT]);
  const names = besideLines(lines.map(({ name, value }) => ({ text: `${name}: ${number(value)}`, at: x(value) })), width);
  /** @type {LegendItem[]} */
  const lineItems = names ? [] : lines.map(({ name }) => ({ label: name, swatch: "tick", style: LINE }));
  const head = header(width, [...groupItems(styles, "box"), ...lineItems], counting);
  const above = names?.length ? NAMES : 0;
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
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
      Plot.ruleX(lines, {
        x: "value", insetTop: -above, stroke: LINE.colour, strokeWidth: LINE.width, strokeDasharray: LINE.dash,
        title: ({ name, value }) => `${name}: ${number(value)}`,
      }),
      () => element("g", { "aria-hidden": "true" }, ...(names ?? []).map(({ text, x: at, anchor }) => (
        element("text", { x: at, y: head.height + NAMES - 4, "text-anchor": anchor, fill: "currentColor" }, text)))),
    ],
  }, [patterns(styles, key), ...head.nodes]);
  setRows(svg, bins, ({ low }) => low, { stacked: true });
  return svg;
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
  const even = d3.range(found[0], found[found.length - 1] + step / 2, step);
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
function markLabel({ low, high, open, people, href }, format, style) {
  const range = open ? `${number(low)} and more` : `${number(low)} to ${number(high)}`;
  return `${range}${style ? `, ${style.label}` : ""}: ${format(people)}${linkHint(href)}`;
}
