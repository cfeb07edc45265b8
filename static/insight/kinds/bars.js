/** Horizontal bars from zero, each with its value and, where known, its interval. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, fitted, number, plotted, roomFor, towards, widthOf } from "../drawing.js";

const BAR = 26;

export function draw(figure, { width }) {
  const { value_label: said } = figure.options;
  const label = axisLabel(figure, "value", said);
  const rows = figure.rows.map((row, index) => ({ ...row, index }));
  const marginLeft = roomFor(rows.map((row) => row.label), width);
  const marginRight = Math.max(...rows.map((row) => widthOf(number(row.value)))) + 16;
  const most = Math.max(...rows.map((row) => Math.max(row.value ?? 0, row.high ?? 0)), 0) || 1;
  const least = Math.min(0, ...rows.map((row) => Math.min(row.value ?? 0, row.low ?? 0)));
  return plotted({
    width, height: rows.length * BAR + 48, marginTop: 4, marginBottom: 40, marginLeft, marginRight,
    x: { domain: [least, most] },
    y: { domain: rows.map((row) => row.index), label: null, padding: 0.3 },
    marks: [
      Plot.gridX({ ticks: width / 90, stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisX({ ticks: width / 90, tickSize: 0, tickFormat: number, label, labelAnchor: "left", labelArrow: "none" }),
      Plot.axisY({ tickSize: 0, tickFormat: (index) => fitted(rows[index].label, marginLeft - 10), label: null }),
      Plot.barX(rows.filter((row) => row.value !== null), { x: "value", y: "index", fill: "var(--accent)", title: (row) => words(row, label), href: "href" }),
      Plot.link(rows.filter((row) => row.low != null && row.high != null), { x1: "low", x2: "high", y: "index", stroke: "var(--ink)", strokeWidth: 1.5 }),
      Plot.text(rows, { x: (row) => Math.max(row.value ?? 0, row.high ?? 0), y: "index", text: (row) => number(row.value), dx: 6, textAnchor: "start", fill: "currentColor", ariaHidden: "true" }),
    ],
  });
}

function words(row, label) {
  const interval = row.low != null && row.high != null ? ` (${number(row.low)} to ${number(row.high)})` : "";
  return `${row.label}: ${number(row.value)}${interval}${label ? ` ${label}` : ""}${towards(row.href)}`;
}
