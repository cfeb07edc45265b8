/** A value for each cell, in five shades over the level's first frame. */

import { Plot } from "../../vendor/plot/plot.js";
import { SIDE } from "../../shared/codec.js";
import { element, frameCanvas } from "../../shared/drawing.js";
import { header } from "../axes.js";
import { plot } from "../plotting.js";
import { axisLabel, digitsOf, formatter, number } from "../labels.js";

/** @import { Figure, LegendItem, Space } from "../types" */
/** @typedef {{x: number, y: number, value: number}} Row */
/** @typedef {(row: Row) => number} Shade */
/** @typedef {{value_label?: string, frame?: string | null, spot?: [number, number] | null}} Options */

const [WIDEST, SHADES, SHARP] = [512, 5, 8];

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height }) {
  const rows = figure.rows.filter(({ value }) => value > 0);
  const label = axisLabel(figure, "value", figure.options.value_label);
  const format = formatter(figure, "value", figure.options.value_label);
  const shade = shadesOf(rows.map(({ value }) => value));
  const whole = Math.min(width, WIDEST);
  /** @type {LegendItem[]} */
  const items = [
    { label: `${label.replace(/^[a-z]/, (letter) => letter.toUpperCase())}:`, swatch: "none" },
    ...classes(rows, shade, digitsOf(figure, "value")).map(({ range, index }) => /** @type {LegendItem} */ (
      { label: range, swatch: "box", style: { fill: fill(index), stroke: "var(--ink-soft)" } })),
  ];
  const head = header(whole, items);
  const side = Math.min(whole, Math.max(whole / 2, height - head.height));
  return plot({
    width: whole, height: head.height + side, margin: 0, marginTop: head.height, marginRight: whole - side,
    x: { domain: [0, SIDE], axis: null }, y: { domain: [0, SIDE], range: [head.height, head.height + side], axis: null },
    marks: [
      () => frameImage(figure.options.frame, side, head.height),
      Plot.rect(rows, {
        x1: "x", x2: ({ x }) => x + 1, y1: "y", y2: ({ y }) => y + 1,
        fill: (row) => fill(shade(row)), stroke: "var(--paper)", strokeWidth: 0.5,
        title: (row) => `Cell ${row.x}, ${row.y}: ${format(row.value)}`,
      }),
      ...ring(figure.options.spot),
      Plot.frame({ inset: 0.5, stroke: "var(--ink-soft)" }),
    ],
  }, head.nodes);
}

/** A ring around the cell that the title names: light within dark, visible on any frame. @param {Options["spot"]} spot */
function ring(spot) {
  if (!spot) return [];
  const at = [{ x: spot[0] + 0.5, y: spot[1] + 0.5 }];
  const options = { x: "x", y: "y", r: 13, fill: "none", ariaHidden: "true" };
  return [{ stroke: "var(--ink)", strokeWidth: 5 }, { stroke: "var(--paper)", strokeWidth: 2 }].map((line) => Plot.dot(at, { ...options, ...line }));
}

/** Five shades from the least value to the most by their square roots: few clicks differ more than many. @param {number[]} values @returns {Shade} */
function shadesOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.sqrt);
  const share = (/** @type {number} */ value) => (least === most ? 1 : (Math.sqrt(value) - least) / (most - least));
  return ({ value }) => Math.min(SHADES, 1 + Math.floor(SHADES * share(value)));
}

/** The shades in use, each with the range of its values. @param {Row[]} rows @param {Shade} shade @param {number} digits */
function classes(rows, shade, digits) {
  return Array.from({ length: SHADES }, (_, nth) => nth + 1).flatMap((index) => {
    const values = rows.filter((row) => shade(row) === index).map(({ value }) => value);
    if (!values.length) return [];
    const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => number(value, digits));
    return [{ index, range: least === most ? least : `${least}–${most}` }];
  });
}

/** A frame as a faint picture, its colours half grey. @param {Options["frame"]} frame @param {number} side @param {number} top */
function frameImage(frame, side, top) {
  if (!frame) return element("g");
  const canvas = frameCanvas(frame, SHARP, halfGrey);
  return element("image", { href: canvas.toDataURL(), x: 0, y: top, width: side, height: side, opacity: 0.25 });
}

function halfGrey(/** @type {number} */ colour) {
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
  const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
  return `rgb(${[red, green, blue].map((part) => Math.round((part + grey) / 2)).join(" ")})`;
}

function fill(/** @type {number} */ shade) {
  return `var(--heat-${shade})`;
}
