/** Horizontal bars from zero, each with its value and, where known, its interval. */

import { Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, xAxis } from "../axes.js";
import { labelWidth, plot, setRows, textWidth, truncate } from "../plotting.js";
import { axisLabel, formatter, linkHint, number } from "../labels.js";

/** @import { Figure, Format, Space } from "../types" */
/** `people`: of how many it is. @typedef {{label: string, value: number | null, low?: number | null, high?: number | null, people?: number | null, href?: string | null}} Row */

const LEAST_BAR = 18;
const [PICTURE, GAP] = [24, 6];
const NARROW = 400;

/** `pictures`: the address of a picture for each label. @typedef {{value_label?: string, pictures?: Record<string, string>}} Options */

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height }) {
  const label = axisLabel(figure, "value", figure.options.value_label);
  const format = formatter(figure, "value", figure.options.value_label);
  const rows = figure.rows.map((row, index) => ({ ...row, index, end: Math.max(0, row.value ?? 0, row.high ?? 0) }));
  const bars = rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]));
  const unit = figure.columns.find(({ name }) => name === "value")?.unit === "%" ? " %" : "";
  const valueOf = (/** @type {Row} */ { value, people }) => (
    value === null ? number(null) : `${number(value)}${unit}${people == null || width < NARROW ? "" : `, n = ${number(people)}`}`);
  const { pictures = {} } = figure.options;
  const beside = figure.options.pictures ? PICTURE + GAP : 0;
  const marginLeft = labelWidth(rows.map((row) => row.label), width) + beside;
  const marginRight = Math.ceil(Math.max(...rows.map((row) => textWidth(valueOf(row))))) + 14;
  const length = width - marginLeft - marginRight;
  const bottom = bottomMargin(label, length);
  const svg = plot({
    width, height: Math.max(height, rows.length * LEAST_BAR + bottom), marginTop: 0, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: domain(rows) },
    y: { type: "band", domain: rows.map(({ index }) => index), padding: 0.32 },
    marks: [
      ...xAxis(label, length, { grid: true }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (index) => truncate(rows[index].label, marginLeft - beside - 10), label: null }),
      Plot.image(rows.filter((row) => pictures[row.label]), {
        frameAnchor: "left", dx: PICTURE / 2 - marginLeft, y: "index", src: (row) => pictures[row.label],
        width: PICTURE, height: PICTURE, imageRendering: "pixelated", ariaHidden: "true",
      }),
      Plot.barX(bars, { x: "value", y: "index", fill: "var(--series-1)", title: (row) => markLabel(row, format), href: "href" }),
      ...intervals(rows.filter(({ low, high }) => low != null && high != null)),
      Plot.text(rows, {
        x: "end", y: "index", text: valueOf, dx: 6, textAnchor: "start", fill: "currentColor", ariaHidden: "true",
      }),
    ],
  });
  setRows(svg, bars, ({ index }) => index);
  return svg;
}

/** @param {Row[]} rows */
function domain(rows) {
  const values = rows.flatMap(({ value, low, high }) => [value ?? 0, low ?? 0, high ?? 0]);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return least === most ? [0, 1] : [least, most];
}

/** Lines with ends and a light edge, which show on their bar and beside it. @param {Row[]} rows */
function intervals(rows) {
  const line = { stroke: "var(--ink)", strokeWidth: 1.5 };
  const place = { y: "index", pointerEvents: "none" };
  return [
    Plot.link(rows, { ...place, x1: "low", x2: "high", stroke: "var(--paper)", strokeWidth: 3 }),
    Plot.link(rows, { ...place, x1: "low", x2: "high", ...line }),
    ...["low", "high"].map((end) => Plot.tickX(rows, { ...place, ...line, x: end, insetTop: 5, insetBottom: 5 })),
  ];
}

/** @param {Row & {value: number}} row @param {Format} format */
function markLabel({ label, value, low, high, href }, format) {
  const interval = low != null && high != null ? `, ${number(low)} to ${number(high)}` : "";
  return `${label}: ${format(value)}${interval}${linkHint(href)}`;
}
