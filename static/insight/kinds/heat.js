/** A value for each cell, over the level's first frame. */

import { Plot } from "../../vendor/plot/plot.js";
import { number, plotted, towards } from "../drawing.js";

const SIDE = 64;

export function draw(figure, { width }) {
  const side = Math.min(width, 480);
  const most = Math.max(1, ...figure.rows.map((row) => row.value ?? 0));
  return plotted({
    width: side, height: side, margin: 0,
    x: { domain: [0, SIDE], axis: null }, y: { domain: [SIDE, 0], axis: null },
    marks: [
      Plot.rect(figure.rows, {
        x1: "x", x2: (row) => row.x + 1, y1: "y", y2: (row) => row.y + 1, fill: "var(--accent)", fillOpacity: (row) => 0.3 + 0.7 * (row.value / most),
        title: (row) => `${row.x}, ${row.y}: ${number(row.value)}${towards(row.href)}`, href: "href",
      }),
      Plot.frame({ stroke: "var(--rule)" }),
    ],
  });
}
