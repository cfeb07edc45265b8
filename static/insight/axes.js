/** The axes and grids of all kinds of figures, and what stands above a drawing. */

import { element } from "../shared/drawing.js";
import { Plot, d3 } from "../vendor/plot/plot.js";
import { truncate, wrap } from "./plotting.js";
import { tickNumber } from "./labels.js";
import { legend } from "./legend.js";

/** @import { LegendItem } from "./types" */

const [LABEL, LINE, MOST_LINES] = [24, 15, 2];
const SOFT = "var(--ink-soft)";
const GRID = { stroke: "var(--rule)", strokeOpacity: 1 };

/** Height under a drawing for an axis of this length and its label of one or two lines, in pixels. @param {string} label @param {number} length */
export function bottomMargin(label, length) {
  return 46 + LINE * (wrap(label, length, MOST_LINES).length - 1);
}

/** As many ticks as an axis of this length has room for. @param {number} length */
function ticksAlong(length, each = 64) {
  return Math.max(2, Math.floor(length / each));
}

/** Ticks that count people or levels. @param {number} most @param {number} length @param {number} [each]  pixels a tick */
export function integerTicks(most, length, each) {
  return d3.ticks(0, most, Math.min(most, ticksAlong(length, each))).filter(Number.isInteger);
}

/**
 * The horizontal axis under the drawing.
 * @param {string} label
 * @param {number} length  in pixels
 * @param {import("@observablehq/plot").AxisXOptions & {grid?: boolean}} options
 */
export function xAxis(label, length, { grid = false, ticks = ticksAlong(length), ...options } = {}) {
  const lines = wrap(label, length, MOST_LINES);
  return [
    ...(grid ? [Plot.gridX({ ticks, ...GRID })] : []),
    Plot.axisX({
      ticks, tickSize: grid ? 0 : 4, tickPadding: grid ? 7 : 4, tickFormat: tickNumber, fill: SOFT, stroke: SOFT, ...options,
      label: lines.join("\n") || null, labelAnchor: "center", labelArrow: "none", labelOffset: 40 + LINE * (lines.length - 1),
    }),
  ];
}

/** The vertical axis on the left, with a grid. `header` draws its label. @param {import("@observablehq/plot").AxisYOptions} options */
export function yAxis({ ticks = 5, ...options } = {}) {
  return [
    Plot.gridY({ ticks, ...GRID }),
    Plot.axisY({ ticks, tickSize: 0, tickPadding: 8, tickFormat: tickNumber, fill: SOFT, label: null, ...options }),
  ];
}

/**
 * What stands above a drawing: a legend, then the label of the vertical axis.
 * @param {number} width
 * @param {LegendItem[]} items
 * @returns {{height: number, nodes: SVGElement[]}}
 */
export function header(width, items, label = "") {
  const shown = legend(items, width);
  /** @type {SVGElement[]} */
  const nodes = items.length ? [shown.node] : [];
  const place = { x: 0, y: shown.height + 12, fill: SOFT, "text-anchor": "start", "aria-hidden": "true" };
  if (label) nodes.push(element("text", place, truncate(label, width)));
  return { height: shown.height + (label ? LABEL : 0), nodes };
}
