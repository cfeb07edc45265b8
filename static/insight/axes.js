/** Axes and grids of all kinds alike, and what stands above a drawing. */

import { Plot, d3 } from "../vendor/plot/plot.js";
import { element, fitted, wrapped } from "./drawing.js";
import { legend } from "./legend.js";
import { number } from "./words.js";

const [LABEL, LINE, MOST_LINES] = [24, 15, 2];
const SOFT = "var(--ink-soft)";
const GRID = { stroke: "var(--rule)", strokeOpacity: 1 };

/** Room under a drawing for an axis of this length with its label, which may need a second line. */
export function below(label, length) {
  return 46 + LINE * (wrapped(label, length, MOST_LINES).length - 1);
}

/** As many ticks as an axis of this length has room for. */
function ticksAlong(length, each = 64) {
  return Math.max(2, Math.floor(length / each));
}

/** Ticks that count people or levels. */
export function wholeTicks(most, length, each) {
  return d3.ticks(0, most, Math.min(most, ticksAlong(length, each))).filter(Number.isInteger);
}

/** The horizontal axis under the drawing. Options are Plot.axisX's, and `grid`. */
export function across(label, length, { grid = false, ticks = ticksAlong(length), ...options } = {}) {
  const lines = wrapped(label, length, MOST_LINES);
  return [
    ...(grid ? [Plot.gridX({ ticks, ...GRID })] : []),
    Plot.axisX({
      ticks, tickSize: grid ? 0 : 4, tickPadding: grid ? 7 : 4, tickFormat: number, fill: SOFT, stroke: SOFT, ...options,
      label: lines.join("\n") || null, labelAnchor: "center", labelArrow: "none", labelOffset: 40 + LINE * (lines.length - 1),
    }),
  ];
}

/** The vertical axis on the left, with a grid. Its label stands above the drawing: see `above`. */
export function upwards({ ticks = 5, ...options } = {}) {
  return [
    Plot.gridY({ ticks, ...GRID }),
    Plot.axisY({ ticks, tickSize: 0, tickPadding: 8, tickFormat: number, fill: SOFT, label: null, ...options }),
  ];
}

/**
 * What stands above a drawing: a legend, then the label of the vertical axis.
 * @returns {{height: number, nodes: SVGElement[]}}
 */
export function above(width, items, label = "") {
  const shown = legend(items, width);
  const nodes = items.length ? [shown.node] : [];
  const place = { x: 0, y: shown.height + 12, fill: SOFT, "text-anchor": "start", "aria-hidden": "true" };
  if (label) nodes.push(element("text", place, fitted(label, width)));
  return { height: shown.height + (label ? LABEL : 0), nodes };
}
