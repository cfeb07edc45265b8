/** The share that has come to each end, as steps, with its confidence band, a tick at each censored person, and how many were at risk. */

import { element } from "../../shared/drawing.js";
import { d3, Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, xAxis, yAxis } from "../axes.js";
import { lineEnds } from "../direct-labels.js";
import { distinct, labelWidth, plot, truncate } from "../plotting.js";
import { axisLabel, formatter, number, percent } from "../labels.js";
import { groupItems } from "../legend.js";
import { styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Group, LegendItem, Space, Style } from "../types" */
/**
 * @typedef {object} Row
 * @property {string} curve
 * @property {number} x
 * @property {number} share  has come to it, 0 to 1
 * @property {number | null} [low]
 * @property {number | null} [high]
 * @property {number} at_risk
 * @property {number} censored
 */
/** @typedef {{from: number, to: number, rows: Row[]}} Stretch */
/** @typedef {Map<Group, Style>} Styles */

const [LEAST, TOP, LINE] = [200, 8, 18];
/** Half a tick's length, in share. */
const TICK = 0.022;
/** @type {LegendItem} */
const CENSORED = { label: "censored", swatch: "tick", style: { colour: "var(--ink)" } };

/** `together`: the curves are ends of the same people. @param {Figure<Row, {x_label?: string, together?: boolean}>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const { rows } = figure;
  const names = distinct(rows, "curve");
  const styles = stylesOf(names, key);
  const most = Math.max(...rows.map(({ x }) => x)) || 1;
  const curves = names.map((name) => whole(rows.filter((row) => row.curve === name), most));
  const label = axisLabel(figure, "x", figure.options.x_label);
  const format = formatter(figure, "x", figure.options.x_label);
  const censored = rows.some((row) => row.censored > 0) ? [CENSORED] : [];
  const watched = figure.options.together ? curves.slice(0, 1) : curves;
  const atRisk = LINE * (watched.length > 1 ? watched.length + 1 : 1) + 16;
  const marginLeft = Math.max(48, labelWidth(watched.length > 1 ? names : ["At risk"], width) + 10);
  const bottom = bottomMargin(label, width * 0.7 - marginLeft) + atRisk;
  const short = header(width, censored);
  const tall = Math.max(height, short.height + LEAST + atRisk);
  const ends = names.length > 1 ? lineEnds(curves.map((curve, index) => {
    const top = short.height + TOP;
    return { text: styleOf(styles, names[index]).label, wanted: top + (1 - curve[curve.length - 1].share) * (tall - bottom - top), style: styleOf(styles, names[index]) };
  }), { width, least: short.height + TOP, most: tall - bottom }) : null;
  const head = ends ? short : header(width, [...groupItems(styles, "line"), ...censored]);
  const marginRight = ends?.width ?? 16;
  const x = d3.scaleLinear([0, most], [marginLeft, width - marginRight]);
  const ticks = x.ticks(Math.max(2, Math.floor((width - marginLeft - marginRight) / 64)));
  return plot({
    width, height: tall, marginTop: head.height + TOP, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: [0, most] }, y: { domain: [0, 1] },
    marks: [
      ...yAxis({ tickFormat: percent }),
      ...xAxis(label, width - marginLeft - marginRight, { ticks }),
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
      ...curves.flatMap((curve, index) => steps(curve, styleOf(styles, names[index]))),
      Plot.rect(stretches(rows, most), {
        x1: "from", x2: "to", y1: 0, y2: 1, fill: "transparent", title: (stretch) => stretchLabel(stretch, styles, format),
      }),
      () => atRiskTable(watched, { styles, x, ticks, top: tall - atRisk + LINE, marginLeft }),
      ...(ends ? [() => ends.node(width - marginRight)] : []),
    ],
  }, head.nodes);
}

/** A curve that begins with nobody at 0; one that is over at 0 goes on to the last moment of all, else nothing would be drawn. @param {Row[]} rows @param {number} most @returns {Row[]} */
function whole(rows, most) {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  const end = last.x === 0 ? [{ ...last, x: most, at_risk: 0, censored: 0 }] : [];
  const start = { ...first, x: 0, share: 0, low: first.low == null ? null : 0, high: first.high == null ? null : 0, censored: 0 };
  return [...(first.x > 0 || first.share > 0 ? [start] : []), ...rows, ...end];
}

/** @param {Row[]} curve @param {Style} style */
function steps(curve, { colour, dash }) {
  const drawn = { x: "x", curve: /** @type {const} */ ("step-after") };
  return [
    Plot.areaY(curve, { ...drawn, y1: ({ low }) => low ?? NaN, y2: ({ high }) => high ?? NaN, fill: colour, fillOpacity: 0.16 }),
    Plot.lineY(curve, { ...drawn, y: "share", stroke: colour, strokeWidth: 2, strokeDasharray: dash ?? undefined }),
    Plot.link(curve.filter(({ censored }) => censored > 0), {
      x1: "x", x2: "x", y1: ({ share }) => Math.max(0, share - TICK), y2: ({ share }) => Math.min(1, share + TICK),
      stroke: colour, strokeWidth: 1.5,
    }),
  ];
}

/** Each stretch between two steps, with the row of every curve there. @param {Row[]} rows @param {number} most @returns {Stretch[]} */
function stretches(rows, most) {
  const at = [...new Set(rows.map(({ x }) => x))].toSorted((one, other) => one - other);
  return at.map((from, index) => ({
    from, to: at[index + 1] ?? most,
    rows: [...new Map(rows.filter(({ x }) => x <= from).map((row) => [row.curve, row])).values()],
  }));
}

/** @param {Stretch} stretch @param {Styles} styles @param {Format} format */
function stretchLabel({ from, rows }, styles, format) {
  const each = rows.map((row) => {
    const band = row.low == null || row.high == null ? "" : ` (${percent(row.low)} to ${percent(row.high)})`;
    return `${styles.size > 1 ? `${styleOf(styles, row.curve).label}: ` : ""}${percent(row.share)}${band}, ${number(row.at_risk)} at risk`;
  });
  return [`At ${format(from)}`, ...each].join("\n");
}

/**
 * How many were at risk at each tick, one line a curve.
 * @param {Row[][]} curves
 * @param {{styles: Styles, x: (value: number) => number, ticks: number[], top: number, marginLeft: number}} place
 */
function atRiskTable(curves, { styles, x, ticks, top, marginLeft }) {
  const soft = { fill: "var(--ink-soft)", "text-anchor": "start" };
  const line = (/** @type {Row[]} */ curve, /** @type {number} */ index) => {
    const { label } = styleOf(styles, curve[0].curve);
    const y = top + (curves.length > 1 ? index + 1 : 0) * LINE;
    return [
      element("text", { x: 0, y, ...soft, fill: "currentColor" }, curves.length > 1 ? truncate(label, marginLeft - 20) : ""),
      ...ticks.map((tick) => element("text", { x: x(tick), y, fill: "currentColor" }, number(atRiskAt(curve, tick)))),
    ];
  };
  return element("g", { "aria-hidden": "true" }, element("text", { x: 0, y: top, ...soft }, "At risk"), ...curves.flatMap(line));
}

/** People at risk at a step were at risk since the step before. @param {Row[]} curve @param {number} x */
function atRiskAt(curve, x) {
  return curve.find((row) => row.x >= x)?.at_risk ?? 0;
}
