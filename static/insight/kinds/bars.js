/** Horizontal bars from zero, each with its value and, where known, its interval. */

import { Plot } from "../../vendor/plot/plot.js";
import { across, below } from "../axes.js";
import { arranged, fitted, plotted, roomFor, widthOf } from "../drawing.js";
import { axisLabel, number, teller, towards } from "../words.js";

const BAR = 28;

export function draw(figure, { width }) {
  const label = axisLabel(figure, "value", figure.options.value_label);
  const tell = teller(figure, "value", figure.options.value_label);
  const rows = figure.rows.map((row, index) => ({ ...row, index, end: Math.max(0, row.value ?? 0, row.high ?? 0) }));
  const bars = rows.filter(({ value }) => value !== null);
  const marginLeft = roomFor(rows.map((row) => row.label), width);
  const marginRight = Math.ceil(Math.max(...rows.map(({ value }) => widthOf(number(value))))) + 14;
  const length = width - marginLeft - marginRight;
  const bottom = below(label, length);
  const svg = plotted({
    width, height: rows.length * BAR + bottom, marginTop: 0, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: domain(rows) },
    y: { type: "band", domain: rows.map(({ index }) => index), padding: 0.32 },
    marks: [
      ...across(label, length, { grid: true }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (index) => fitted(rows[index].label, marginLeft - 10), label: null }),
      Plot.barX(bars, { x: "value", y: "index", fill: "var(--series-1)", title: (row) => words(row, tell), href: "href" }),
      ...intervals(rows.filter(({ low, high }) => low != null && high != null)),
      Plot.text(rows, {
        x: "end", y: "index", text: ({ value }) => number(value), dx: 6, textAnchor: "start", fill: "currentColor", ariaHidden: "true",
      }),
    ],
  });
  arranged(svg, bars, ({ index }) => index);
  return svg;
}

function domain(rows) {
  const values = rows.flatMap(({ value, low, high }) => [value ?? 0, low ?? 0, high ?? 0]);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return least === most ? [0, 1] : [least, most];
}

/** A line with ends, light around, so that it is seen on its bar and beside it. */
function intervals(rows) {
  const line = { stroke: "var(--ink)", strokeWidth: 1.5 };
  const place = { y: "index", pointerEvents: "none" };
  return [
    Plot.link(rows, { ...place, x1: "low", x2: "high", stroke: "var(--paper)", strokeWidth: 3 }),
    Plot.link(rows, { ...place, x1: "low", x2: "high", ...line }),
    ...["low", "high"].map((end) => Plot.tickX(rows, { ...place, ...line, x: end, insetTop: 5, insetBottom: 5 })),
  ];
}

function words({ label, value, low, high, href }, tell) {
  const interval = low != null && high != null ? `, ${number(low)} to ${number(high)}` : "";
  return `${label}: ${tell(value)}${interval}${towards(href)}`;
}
