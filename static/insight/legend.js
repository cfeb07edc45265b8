/** A legend inside the drawing, so that saved files have it: a row of swatches that wraps. */

import { element } from "../shared/drawing.js";
import { d3 } from "../vendor/plot/plot.js";
import { textWidth, truncate } from "./plotting.js";

/** @import { Group, LegendItem, Style, Swatch, SwatchStyle } from "./types" */

const LINE = 20;
const GAP = 18;
/** @type {Record<Swatch, number>} */
const WIDTHS = { none: 0, box: 20, line: 28, symbol: 18, tick: 14 };

/**
 * @param {LegendItem[]} items
 * @param {number} width
 * @returns {{height: number, node: SVGGElement}}
 */
export function legend(items, width) {
  const node = element("g", { "aria-hidden": "true", "text-anchor": "start" });
  let [x, y] = [0, 0];
  for (const { label, swatch, style } of items) {
    const text = truncate(label, width - WIDTHS[swatch]);
    const needed = WIDTHS[swatch] + textWidth(text);
    if (x > 0 && x + needed > width) [x, y] = [0, y + LINE];
    node.append(element("g", { transform: `translate(${x},${y + LINE / 2})` },
      SWATCHES[swatch](style ?? {}), element("text", { x: WIDTHS[swatch], dy: "0.36em", fill: "currentColor" }, text)));
    x += needed + GAP;
  }
  return { height: items.length ? y + LINE + 8 : 0, node };
}

/**
 * A legend's items for groups; none for a single group, which needs no legend.
 * @param {Map<Group, Style>} styles
 * @param {Swatch} swatch
 * @returns {LegendItem[]}
 */
export function groupItems(styles, swatch) {
  return styles.size > 1 ? [...styles.values()].map((style) => ({ label: style.label, swatch, style })) : [];
}

/** @type {Record<Swatch, (style: SwatchStyle) => SVGElement | null>} */
const SWATCHES = {
  none: () => null,
  box: (style) => element("rect", { x: 0.5, y: -6, width: 13, height: 12, fill: style.fill, stroke: style.stroke }),
  line: (style) => element("line", {
    x1: 0, x2: 22, y1: 0, y2: 0, stroke: style.colour, "stroke-width": style.width ?? 2, "stroke-dasharray": style.dash,
  }),
  symbol: (style) => element("path", { transform: "translate(6,0)", d: d3.symbol(style.symbol, 64)(), fill: style.colour }),
  tick: (style) => element("line", {
    x1: 4, x2: 4, y1: -6, y2: 6, stroke: style.colour, "stroke-width": style.width ?? 1.5, "stroke-dasharray": style.dash,
  }),
};
