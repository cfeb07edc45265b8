/** A legend inside the drawing, so that saved files have it: a row of swatches that wraps. */

import { d3 } from "../vendor/plot/plot.js";
import { element, fitted, widthOf } from "./drawing.js";

const LINE = 20;
const GAP = 18;
const SWATCH = { none: 0, box: 20, line: 28, symbol: 18, tick: 14 };

/**
 * @param {{words: string, form: "box" | "line" | "symbol" | "tick" | "none", look?: object}[]} items
 * @param {number} width
 * @returns {{height: number, node: SVGGElement}}
 */
export function legend(items, width) {
  const node = element("g", { "aria-hidden": "true", "text-anchor": "start" });
  let [x, y] = [0, 0];
  for (const { words, form, look } of items) {
    const text = fitted(words, width - SWATCH[form]);
    const needed = SWATCH[form] + widthOf(text);
    if (x > 0 && x + needed > width) [x, y] = [0, y + LINE];
    node.append(element("g", { transform: `translate(${x},${y + LINE / 2})` },
      SWATCHES[form](look), element("text", { x: SWATCH[form], dy: "0.36em", fill: "currentColor" }, text)));
    x += needed + GAP;
  }
  return { height: items.length ? y + LINE + 8 : 0, node };
}

/** What a legend lists of groups; nothing where there is only one, which needs none. */
export function listed(looks, form) {
  return looks.size > 1 ? [...looks.values()].map((look) => ({ words: look.words, form, look })) : [];
}

const SWATCHES = {
  none: () => null,
  box: (look) => element("rect", { x: 0.5, y: -6, width: 13, height: 12, fill: look.fill, stroke: look.stroke }),
  line: (look) => element("line", {
    x1: 0, x2: 22, y1: 0, y2: 0, stroke: look.colour, "stroke-width": look.width ?? 2, "stroke-dasharray": look.dash,
  }),
  symbol: (look) => element("path", { transform: "translate(6,0)", d: d3.symbol(look.symbol, 64)(), fill: look.colour }),
  tick: (look) => element("line", {
    x1: 4, x2: 4, y1: -6, y2: 6, stroke: look.colour, "stroke-width": look.width ?? 1.5, "stroke-dasharray": look.dash,
  }),
};
