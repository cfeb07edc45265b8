/** A legend inside the drawing, so that saved files have it: a row of swatches that wraps. */

import { element, fitted, widthOf } from "./drawing.js";

const LINE = 20;
const SWATCH = 22;
const GAP = 16;

/**
 * @param {{words: string, swatch: (element: typeof element) => SVGElement}[]} items  a swatch is drawn within 0..14 by -7..7
 * @param {number} width
 * @returns {{height: number, node: SVGGElement}}
 */
export function legend(items, width) {
  const node = element("g", { class: "legend", "aria-hidden": "true", "text-anchor": "start" });
  let [x, y] = [0, 0];
  for (const { words, swatch } of items) {
    const text = fitted(words, width - SWATCH);
    const needed = SWATCH + widthOf(text);
    if (x > 0 && x + needed > width) [x, y] = [0, y + LINE];
    node.append(element("g", { transform: `translate(${x},${y + LINE / 2})` },
      swatch(element), element("text", { x: SWATCH, dy: "0.36em", fill: "currentColor" }, text)));
    x += needed + GAP;
  }
  return { height: items.length ? y + LINE + 6 : 0, node };
}

export const swatches = {
  box: (look) => () => element("rect", { x: 0, y: -6, width: 14, height: 12, fill: look.fill, stroke: look.stroke }),
  line: (look) => () => element("line", {
    x1: 0, x2: 16, y1: 0, y2: 0, stroke: look.colour, "stroke-width": 2, "stroke-dasharray": look.dash,
  }),
};
