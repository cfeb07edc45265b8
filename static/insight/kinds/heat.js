/** A value for each cell, in five shades over the level's first frame. */

import { Plot } from "../../vendor/plot/plot.js";
import { PALETTE } from "../../play/palette.js";
import { above } from "../axes.js";
import { element, plotted } from "../drawing.js";
import { axisLabel, number, teller, towards } from "../words.js";

const [SIDE, WIDEST, SHADES, SHARP] = [64, 512, 5, 8];

export function draw(figure, { width }) {
  const rows = figure.rows.filter(({ value }) => value > 0);
  const label = axisLabel(figure, "value", figure.options.value_label);
  const tell = teller(figure, "value", figure.options.value_label);
  const shade = shadesOf(rows.map(({ value }) => value));
  const fill = (index) => `var(--heat-${index})`;
  const side = Math.min(width, WIDEST);
  const shades = classes(rows, shade).map(({ words, index }) => ({ words, form: "box", look: { fill: fill(index), stroke: "var(--ink-soft)" } }));
  const head = above(side, [{ words: `${label.replace(/^[a-z]/, (letter) => letter.toUpperCase())}:`, form: "none" }, ...shades]);
  return plotted({
    width: side, height: head.height + side, margin: 0, marginTop: head.height,
    x: { domain: [0, SIDE], axis: null }, y: { domain: [0, SIDE], range: [head.height, head.height + side], axis: null },
    marks: [
      () => pictureOf(figure.options.frame, side, head.height),
      Plot.rect(rows, {
        x1: "x", x2: ({ x }) => x + 1, y1: "y", y2: ({ y }) => y + 1,
        fill: (row) => fill(shade(row)), stroke: "var(--paper)", strokeWidth: 0.5,
        title: (row) => `Cell ${row.x}, ${row.y}: ${tell(row.value)}${towards(row.href)}`, href: "href",
      }),
      ...ring(figure.options.spot),
      Plot.frame({ inset: 0.5, stroke: "var(--ink-soft)" }),
    ],
  }, head.nodes);
}

/** Around the cell that the heading speaks of, light within dark, so that it is seen on any frame. */
function ring(spot) {
  if (!spot) return [];
  const at = [{ x: spot[0] + 0.5, y: spot[1] + 0.5 }];
  const look = { x: "x", y: "y", r: 13, fill: "none", ariaHidden: "true" };
  return [["var(--ink)", 5], ["var(--paper)", 2]].map(([stroke, strokeWidth]) => Plot.dot(at, { ...look, stroke, strokeWidth }));
}

/** From the least value to the most by their roots: the first few clicks say more than one among many. */
function shadesOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.sqrt);
  const share = (value) => (least === most ? 1 : (Math.sqrt(value) - least) / (most - least));
  return ({ value }) => Math.min(SHADES, 1 + Math.floor(SHADES * share(value)));
}

/** The shades in use, each with the values that have it. */
function classes(rows, shade) {
  return Array.from({ length: SHADES }, (_, nth) => nth + 1).flatMap((index) => {
    const values = rows.filter((row) => shade(row) === index).map(({ value }) => value);
    if (!values.length) return [];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return [{ index, words: least === most ? number(least) : `${number(least)}–${number(most)}` }];
  });
}

/** A frame as a picture, its colours half way to grey, faint upon the page. */
function pictureOf(frame, side, top) {
  if (!frame) return element("g");
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE * SHARP, height: SIDE * SHARP });
  const context = canvas.getContext("2d");
  [...frame].forEach((digit, cell) => {
    context.fillStyle = greyer(PALETTE[Number.parseInt(digit, 16)]);
    context.fillRect((cell % SIDE) * SHARP, Math.floor(cell / SIDE) * SHARP, SHARP, SHARP);
  });
  return element("image", { href: canvas.toDataURL(), x: 0, y: top, width: side, height: side, opacity: 0.25 });
}

function greyer(colour) {
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
  const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
  return `rgb(${[red, green, blue].map((part) => Math.round((part + grey) / 2)).join(" ")})`;
}
