/** Horizontal bars from zero, each with its value and, where known, its interval and what was expected of it. */

import { Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, xAxis } from "../axes.js";
import { labelWidth, plot, setRows, textWidth, truncate } from "../plotting.js";
import { axisLabel, digitsOf, doubt, formatter, linkHint, number } from "../labels.js";
import { hatching } from "../styles.js";

/** @import { Figure, Format, Space } from "../types" */
/** `people`: of how many it is; `doubted`: the part of the value that is of those `under_review`. @typedef {{label: string, value: number | null, low?: number | null, high?: number | null, people?: number | null, under_review?: number | null, doubted?: number | null, expected?: number | null, href?: string | null}} Row */

const LEAST_BAR = 18;
const [PICTURE, GAP] = [24, 6];
const NARROW = 400;
const EXPECTED = { colour: "var(--ink)", dash: "1.5 2", width: 2.5 };

/** `pictures`: the address of a picture for each label. @typedef {{value_label?: string, pictures?: Record<string, string>}} Options */

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const label = axisLabel(figure, "value", figure.options.value_label);
  const format = formatter(figure, "value", figure.options.value_label);
  const rows = figure.rows.map((row, index) => ({ ...row, index, end: Math.max(0, row.value ?? 0, row.high ?? 0, row.expected ?? 0) }));
  const expected = rows.filter((row) => row.expected != null);
  const hatched = hatching(rows, key);
  const head = header(width, [...(expected.length ? [{ label: "expected", swatch: /** @type {const} */ ("tick"), style: EXPECTED }] : []), ...hatched.items]);
  const bars = rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]));
  const digits = digitsOf(figure, "value");
  const unit = figure.columns.find(({ name }) => name === "value")?.unit === "%" ? " %" : "";
  const valueOf = (/** @type {Row} */ { value, people, ...row }) => (
    value === null ? number(null) : `${number(value, digits)}${unit}${people == null || width < NARROW ? "" : `, n = ${number(people)}${doubt(row)}`}`);
  const { pictures = {} } = figure.options;
  const beside = figure.options.pictures ? PICTURE + GAP : 0;
  const marginLeft = labelWidth(rows.map((row) => row.label), width) + beside;
  const marginRight = Math.ceil(Math.max(...rows.map((row) => textWidth(valueOf(row))))) + 14;
  const length = width - marginLeft - marginRight;
  const bottom = bottomMargin(label, length);
  const svg = plot({
    width, height: Math.max(height, head.height + rows.length * LEAST_BAR + bottom), marginTop: head.height, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: unit ? [0, Math.max(100, ...domain(rows))] : domain(rows) },
    y: { type: "band", domain: rows.map(({ index }) => index), padding: 0.32 },
    marks: [
      ...xAxis(label, length, { grid: true }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (index) => truncate(rows[index].label, marginLeft - beside - 10), label: null }),
      Plot.image(rows.filter((row) => pictures[row.label]), {
        frameAnchor: "left", dx: PICTURE / 2 - marginLeft, y: "index", src: (row) => pictures[row.label],
        width: PICTURE, height: PICTURE, imageRendering: "pixelated", ariaHidden: "true",
      }),
      Plot.barX(bars, { x: "value", y: "index", fill: "var(--series-1)", title: (row) => markLabel(row, format, digits), href: "href" }),
      Plot.barX(bars.filter((row) => row.doubted), { x1: (row) => row.value - (row.doubted ?? 0), x2: "value", y: "index", ...hatched.over }),
      ...intervals(rows.filter(({ low, high }) => low != null && high != null)),
      Plot.tickX(expected, {
        x: "expected", y: "index", stroke: EXPECTED.colour, strokeWidth: EXPECTED.width, strokeDasharray: EXPECTED.dash, pointerEvents: "none",
      }),
      Plot.text(rows, {
        x: "end", y: "index", text: valueOf, dx: 6, textAnchor: "start", fill: "currentColor", ariaHidden: "true",
      }),
    ],
  }, [hatched.pattern, ...head.nodes]);
  setRows(svg, bars, ({ index }) => index);
  return svg;
}

/** @param {Row[]} rows */
function domain(rows) {
  const values = rows.flatMap(({ value, low, high, expected }) => [value ?? 0, low ?? 0, high ?? 0, expected ?? 0]);
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

/** @param {Row & {value: number}} row @param {Format} format @param {number} digits */
function markLabel({ label, value, low, high, expected, href, ...row }, format, digits) {
  const interval = low != null && high != null ? `, ${number(low, digits)} to ${number(high, digits)}` : "";
  const wanted = expected == null ? "" : `, expected ${number(expected, digits)}`;
  return `${label}: ${format(value)}${interval}${wanted}${doubt(row)}${linkHint(href)}`;
}
