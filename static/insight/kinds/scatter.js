/** One mark a row by two measures; groups differ by colour and form. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, distinct, number, plotted, towards } from "../drawing.js";
import { legend } from "../legend.js";
import { looksOf } from "../looks.js";

const HEIGHT = 340;

export function draw(figure, { width, key }) {
  const rows = figure.rows.filter((row) => row.x !== null && row.y !== null);
  const groups = distinct(rows, "group");
  const looks = looksOf(groups, key);
  const [xLabel, yLabel] = [axisLabel(figure, "x", figure.options.x_label), axisLabel(figure, "y", figure.options.y_label)];
  const shown = legend([], width);
  return plotted({
    width, height: HEIGHT + shown.height, marginTop: 28, marginBottom: 40, marginLeft: 52, marginRight: 16, grid: false,
    x: { nice: true }, y: { nice: true },
    marks: [
      Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisY({ ticks: 5, tickSize: 0, tickFormat: number, label: yLabel, labelArrow: "none" }),
      Plot.axisX({ ticks: width / 90, tickSize: 4, tickFormat: number, label: xLabel, labelAnchor: "left", labelArrow: "none" }),
      Plot.dot(rows, {
        x: "x", y: "y", r: 4, fill: (row) => looks.get(row.group).colour, fillOpacity: 0.7, symbol: (row) => looks.get(row.group).symbol,
        title: (row) => `${row.label}: ${xLabel} ${number(row.x)}, ${yLabel} ${number(row.y)}${towards(row.href)}`, href: "href",
      }),
    ],
  });
}
