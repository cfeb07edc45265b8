/** Share still playing, as steps, with the confidence band and a tick where somebody was censored. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, distinct, number, percent, plotted } from "../drawing.js";
import { legend, swatches } from "../legend.js";
import { looksOf } from "../looks.js";

const HEIGHT = 280;

export function draw(figure, { width, key }) {
  const { rows } = figure;
  const curves = distinct(rows, "curve");
  const looks = looksOf(curves, key);
  const colour = (row) => looks.get(row.curve).colour;
  const label = axisLabel(figure, "x", figure.options.x_label);
  const shown = legend(curves.map((curve) => ({ words: looks.get(curve).words, swatch: swatches.line(looks.get(curve)) })), width);
  const svg = plotted({
    width, height: HEIGHT + shown.height, marginTop: shown.height + 8, marginBottom: 40, marginLeft: 48, marginRight: 16,
    y: { domain: [0, 1] },
    marks: [
      Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisY({ ticks: 5, tickSize: 0, tickFormat: (tick) => percent(tick), label: null }),
      Plot.axisX({ ticks: width / 90, tickSize: 4, tickFormat: number, label, labelAnchor: "left", labelArrow: "none" }),
      Plot.areaY(rows.filter((row) => row.low != null && row.high != null), { x: "x", y1: "low", y2: "high", z: "curve", curve: "step-after", fill: colour, fillOpacity: 0.16 }),
      ...curves.map((curve) => Plot.lineY(rows.filter((row) => row.curve === curve), {
        x: "x", y: "share", curve: "step-after", stroke: looks.get(curve).colour, strokeWidth: 2, strokeDasharray: looks.get(curve).dash,
      })),
      Plot.link(rows.filter((row) => row.censored > 0), { x: "x", y1: (row) => row.share - 0.02, y2: (row) => row.share + 0.02, stroke: colour }),
    ],
  });
  svg.prepend(shown.node);
  return svg;
}
