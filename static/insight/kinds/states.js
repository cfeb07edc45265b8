/**
 * A mark for each state of a level: columns by the way to a win, the win on the right, a band for each thing that can come of a
 * state. Area is people, the core of a mark those who stopped; behind lie the moves between them, and all explored states.
 */

import { element } from "../../shared/drawing.js";
import { d3 } from "../../vendor/plot/plot.js";
import { bottomMargin, header, xAxis } from "../axes.js";
import { linkHint, number } from "../labels.js";
import { groupItems } from "../legend.js";
import { linkedMark, plot, setRows, textWidth, truncate } from "../plotting.js";
import { styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Space, Style } from "../types" */
/** @typedef {{label: string, outlook: string, x: number, states: number, people: number, stopped: number, returned: number, href?: string | null}} Row */
/** @typedef {Row & {band: number, index: number, px: number, py: number, radius: number, often: boolean, picture: string | null}} Mark */
/**
 * @typedef {object} Options
 * @property {string[]} outlooks  in the order of their styles
 * @property {string[]} bands
 * @property {string} x_label
 * @property {boolean} from_start
 * @property {number} farthest
 * @property {number} step
 * @property {number} most_people
 * @property {[from: number, to: number, people: number][]} moves
 * @property {[x: number, states: number][]} explored
 * @property {boolean[]} often_returned  by row
 * @property {(string | null)[]} pictures  by row: the frame of a mark that is one state
 */

const [LEAST, MOST, GAP, CAPTION, SIDE, OWN_LABEL] = [3, 15, 4, 20, 18, 8];
const COMPLETED = "level completed";

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const { outlooks, bands, farthest, step, from_start: fromStart, most_people: most, moves, explored, x_label: label, often_returned: often, pictures } = figure.options;
  const styles = new Map([...stylesOf(outlooks, key)].filter(([outlook]) => bands.includes(String(outlook))));
  const head = header(width, groupItems(styles, "symbol"));
  const columns = Math.floor(farthest / step) + 1;
  const wide = (width - 2 * SIDE) / columns;
  const x = (/** @type {number} */ value) => {
    const column = Math.floor(value / step);
    return SIDE + wide * ((fromStart ? column : columns - 1 - column) + 0.5);
  };
  const largest = Math.max(LEAST, Math.min(MOST, wide / 2 - 1));
  const area = d3.scaleSqrt([0, most], [0, largest]);
  const radius = (/** @type {number} */ people) => Math.max(LEAST, area(people));
  const bandOf = (/** @type {Row} */ row) => Math.max(0, bands.indexOf(row.outlook === COMPLETED ? bands[0] : row.outlook));
  const { marks, edges, bottom: filled } = stacked(figure.rows.map((row, index) => (
    { ...row, index, band: bandOf(row), px: x(row.x), py: 0, radius: radius(row.people), often: often[index], picture: pictures[index] })), bands.length, head.height);
  const bottom = bottomMargin(label, width - 2 * SIDE);
  const end = Math.max(filled, height - bottom);
  const svg = plot({
    width, height: Math.ceil(end + bottom), marginTop: head.height, marginBottom: bottom, marginLeft: 0, marginRight: 0,
    x: { type: "identity" }, y: { type: "identity", axis: null },
    marks: [
      () => background(explored, x, wide, edges[0], edges[1]),
      () => captions(bands, edges, width),
      () => paths(moves, marks, most, end),
      () => ticks(columns, step, x, wide, end),
      ...xAxis(label, width - 2 * SIDE, { ticks: [] }),
      () => element("g", {}, ...marks.map((mark) => drawn(mark, styleOf(styles, bands[mark.band]), area))),
    ],
  }, head.nodes);
  setRows(svg, marks, ({ band }) => band);
  return svg;
}

/**
 * Stacks the marks of a column in their band, those given first on top.
 * @param {Mark[]} marks @param {number} bands @param {number} top
 * @returns {{marks: Mark[], edges: number[], bottom: number}}
 */
function stacked(marks, bands, top) {
  const edges = [top];
  const placed = marks.map((mark) => ({ ...mark }));
  for (let band = 0; band < bands; band += 1) {
    /** @type {Map<number, number>} */
    const filled = new Map();
    for (const mark of placed.filter((one) => one.band === band)) {
      const from = filled.get(mark.px) ?? edges[band] + CAPTION;
      mark.py = from + mark.radius + 1;
      filled.set(mark.px, from + 2 * mark.radius + GAP);
    }
    edges.push(Math.max(edges[band] + CAPTION + 2 * LEAST, ...filled.values()) + GAP);
  }
  return { marks: placed, edges, bottom: edges[bands] };
}

/** A mark: all who were there as an outline, those who stopped as its core, a ring where most came back. @param {Mark} mark @param {Style} style @param {(people: number) => number} area */
function drawn(mark, style, area) {
  const { px, py, radius } = mark;
  const shape = (/** @type {number} */ size, /** @type {Record<string, string | number>} */ attributes) => element("path", {
    transform: `translate(${px},${py})`, d: d3.symbol(style.symbol, Math.PI * size ** 2)(), ...attributes });
  const core = mark.stopped ? shape(Math.max(1.5, Math.min(area(mark.stopped), radius)), { fill: style.colour }) : null;
  const ring = mark.often ? element("circle", { cx: px, cy: py, r: radius + 2, fill: "none", stroke: "var(--ink-soft)", "stroke-dasharray": "2 2" }) : null;
  const name = mark.states === 1 && mark.label.length === 1 && radius >= OWN_LABEL
    ? element("text", { x: px, y: py, dy: "0.36em", "text-anchor": "middle", "font-weight": "bold", fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 3, "paint-order": "stroke", "aria-hidden": "true" }, mark.label) : null;
  const whole = element("g", {}, shape(radius, { fill: "var(--paper)" }), shape(radius, { fill: style.colour, "fill-opacity": 0.2, stroke: style.stroke }), core, ring, name);
  const link = linkedMark(whole, sentence(mark), mark.href);
  if (mark.picture) link.setAttribute("data-picture", mark.picture);
  return link;
}

function sentence(/** @type {Mark} */ { label, outlook, x, people, stopped, returned, href, states }) {
  const name = states === 1 ? `State ${label}` : label;
  const who = [`${number(people)} ${people === 1 ? "person" : "people"}`, `${number(stopped)} stopped`, `${number(returned)} came back`];
  return `${name}, ${outlook}, ${number(x)} action${x === 1 ? "" : "s"}: ${who.join(", ")}${linkHint(href)}`;
}

/** Grey columns of all explored states, on a logarithmic scale. @param {Options["explored"]} explored @param {(value: number) => number} x @param {number} wide @param {number} top @param {number} bottom */
function background(explored, x, wide, top, bottom) {
  const high = d3.scaleLog([1, Math.max(2, ...explored.map(([, states]) => states + 1))], [0, bottom - top - CAPTION]);
  return element("g", { "aria-hidden": "true" }, ...explored.map(([at, states]) => element("rect", {
    x: x(at) - wide / 2 + 0.5, width: Math.max(1, wide - 1), y: bottom - high(states + 1), height: high(states + 1), fill: "var(--rule)", "fill-opacity": 0.6 })));
}

/** @param {string[]} bands @param {number[]} edges @param {number} width */
function captions(bands, edges, width) {
  return element("g", { "aria-hidden": "true", "text-anchor": "start" }, ...bands.flatMap((band, index) => [
    element("line", { x1: 0, x2: width, y1: edges[index], y2: edges[index], stroke: "var(--rule)" }),
    element("text", { x: 0, y: edges[index] + 14, fill: "var(--ink-soft)" }, truncate(band, width)),
  ]));
}

/** Moves between marks, the wider the more people. @param {Options["moves"]} moves @param {Mark[]} marks @param {number} most @param {number} end */
function paths(moves, marks, most, end) {
  return element("g", { "aria-hidden": "true", fill: "none", stroke: "var(--ink-soft)", "stroke-opacity": 0.35 },
    ...moves.map(([from, to, people]) => {
      const [one, other] = [marks[from], marks[to]];
      const bow = Math.min(24, Math.abs(one.px - other.px) / 3 + 6);
      const at = Math.min(end, (one.py + other.py) / 2 + (one.px <= other.px ? bow : -bow));
      return element("path", { d: `M${one.px} ${one.py}Q${(one.px + other.px) / 2} ${at} ${other.px} ${other.py}`, "stroke-width": 0.5 + 3 * Math.sqrt(Math.min(1, people / most)) });
    }));
}

/** @param {number} columns @param {number} step @param {(value: number) => number} x @param {number} wide @param {number} bottom */
function ticks(columns, step, x, wide, bottom) {
  const every = Math.max(1, Math.ceil((textWidth(number((columns - 1) * step)) + 10) / wide));
  return element("g", { "aria-hidden": "true", "text-anchor": "middle" }, element("line", { x1: 0, x2: "100%", y1: bottom, y2: bottom, stroke: "var(--ink-soft)" }),
    ...d3.range(0, columns, every).map((column) => element("text", { x: x(column * step), y: bottom + 16, fill: "var(--ink-soft)" }, number(column * step))));
}
