/** Steps of each series; the one pointed at stands out. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, number, plotted, towards } from "../drawing.js";

const HEIGHT = 340;

export function draw(figure, { width }) {
  const { rows } = figure;
  const [xLabel, yLabel] = [axisLabel(figure, "x", figure.options.x_label), axisLabel(figure, "y", figure.options.y_label)];
  return plotted({
    width, height: HEIGHT, marginTop: 28, marginBottom: 40, marginLeft: 48, marginRight: 60,
    y: { nice: true },
    marks: [
      Plot.gridY({ interval: 1, stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisY({ interval: 1, tickSize: 0, tickFormat: number, label: yLabel, labelArrow: "none" }),
      Plot.axisX({ ticks: width / 90, tickSize: 4, tickFormat: number, label: xLabel, labelAnchor: "left", labelArrow: "none" }),
      Plot.lineY(rows, { x: "x", y: "y", z: "series", curve: "step-after", stroke: "var(--ink-soft)", strokeOpacity: 0.5 }),
      Plot.dot(rows, { x: "x", y: "y", r: 3, fill: "var(--accent)", title: (row) => `${row.series}: ${yLabel} ${number(row.y)} at ${number(row.x)}${towards(row.href)}`, href: "href" }),
    ],
  });
}
