/** Share still playing, as steps, with its confidence band, a tick where somebody was censored, and how many were at risk. */

import { d3, Plot } from "../../vendor/plot/plot.js";
import { above, across, below, upwards } from "../axes.js";
import { arranged, distinct, element, fitted, plotted, roomFor } from "../drawing.js";
import { listed } from "../legend.js";
import { looksOf } from "../looks.js";
import { axisLabel, number, percent, teller, towards } from "../words.js";

const HEIGHT = 300;
const LINE = 18;
/** Half a tick's length, in share. */
const TICK = 0.022;
const CENSORED = { words: "censored", form: "tick", look: { colour: "var(--ink)" } };

export function draw(figure, { width, key }) {
  const { rows } = figure;
  const names = distinct(rows, "curve");
  const looks = looksOf(names, key);
  const curves = names.map((name) => begun(rows.filter((row) => row.curve === name)));
  const label = axisLabel(figure, "x", figure.options.x_label);
  const tell = teller(figure, "x", figure.options.x_label);
  const censored = rows.some((row) => row.censored > 0) ? [CENSORED] : [];
  const head = above(width, [...listed(looks, "line"), ...censored]);
  const atRisk = LINE * (names.length > 1 ? names.length + 1 : 1) + 16;
  const marginLeft = Math.max(48, roomFor(names.length > 1 ? names : ["At risk"], width) + 10);
  const most = Math.max(...rows.map(({ x }) => x)) || 1;
  const x = d3.scaleLinear([0, most], [marginLeft, width - 16]);
  const ticks = x.ticks(Math.max(2, Math.floor((width - marginLeft) / 64)));
  const marks = rows.filter(({ href }) => href);
  const svg = plotted({
    width, height: head.height + HEIGHT + atRisk,
    marginTop: head.height + 8, marginBottom: below(label, width - marginLeft) + atRisk, marginLeft, marginRight: 16,
    x: { domain: [0, most] }, y: { domain: [0, 1] },
    marks: [
      ...upwards({ tickFormat: percent }),
      ...across(label, width - marginLeft, { ticks }),
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
      ...curves.flatMap((curve, index) => steps(curve, looks.get(names[index]))),
      Plot.rect(moments(rows, most), {
        x1: "from", x2: "to", y1: 0, y2: 1, fill: "transparent", title: (moment) => told(moment, looks, tell),
      }),
      Plot.dot(marks, {
        x: "x", y: "share", r: 3.5, fill: ({ curve }) => looks.get(curve).colour, title: (row) => words(row, tell), href: "href",
      }),
      () => table(curves, { looks, x, ticks, top: head.height + HEIGHT + LINE, marginLeft }),
    ],
  }, head.nodes);
  arranged(svg, marks, ({ curve }) => names.indexOf(curve));
  return svg;
}

/** A curve that begins with everybody, wherever its first row is. */
function begun(rows) {
  const [first] = rows;
  const all = (bound) => (bound == null ? null : 1);
  const start = { ...first, x: 0, share: 1, low: all(first.low), high: all(first.high), censored: 0, href: null };
  return first.x > 0 ? [start, ...rows] : rows;
}

function steps(curve, { colour, dash }) {
  const drawn = { x: "x", curve: "step-after" };
  return [
    Plot.areaY(curve, { ...drawn, y1: ({ low }) => low ?? NaN, y2: ({ high }) => high ?? NaN, fill: colour, fillOpacity: 0.16 }),
    Plot.lineY(curve, { ...drawn, y: "share", stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
    Plot.link(curve.filter(({ censored }) => censored > 0), {
      x1: "x", x2: "x", y1: ({ share }) => Math.max(0, share - TICK), y2: ({ share }) => Math.min(1, share + TICK),
      stroke: colour, strokeWidth: 1.5,
    }),
  ];
}

/** Each stretch between two steps, with what every curve says there. */
function moments(rows, most) {
  const at = [...new Set(rows.map(({ x }) => x))].sort((one, other) => one - other);
  return at.map((from, index) => ({
    from, to: at[index + 1] ?? most,
    rows: [...d3.rollup(rows.filter(({ x }) => x <= from), (found) => found.at(-1), ({ curve }) => curve).values()],
  }));
}

function told({ from, rows }, looks, tell) {
  const each = rows.map((row) => {
    const band = row.low == null || row.high == null ? "" : ` (${percent(row.low)} to ${percent(row.high)})`;
    return `${looks.size > 1 ? `${looks.get(row.curve).words}: ` : ""}${percent(row.share)}${band}, ${number(row.at_risk)} at risk`;
  });
  return [`At ${tell(from)}`, ...each].join("\n");
}

/** How many were at risk at each tick, a line a curve. */
function table(curves, { looks, x, ticks, top, marginLeft }) {
  const soft = { fill: "var(--ink-soft)", "text-anchor": "start" };
  const line = (curve, index) => {
    const { words } = looks.get(curve[0].curve);
    const y = top + (curves.length > 1 ? index + 1 : 0) * LINE;
    return [
      element("text", { x: 0, y, ...soft, fill: "currentColor" }, curves.length > 1 ? fitted(words, marginLeft - 20) : ""),
      ...ticks.map((tick) => element("text", { x: x(tick), y, fill: "currentColor" }, number(atRiskAt(curve, tick)))),
    ];
  };
  return element("g", { "aria-hidden": "true" }, element("text", { x: 0, y: top, ...soft }, "At risk"), ...curves.flatMap(line));
}

/** Whoever is at risk at a step was so since the step before. */
function atRiskAt(curve, x) {
  return curve.find((row) => row.x >= x)?.at_risk ?? 0;
}

function words({ curve, x, share, href }, tell) {
  return `${curve}, ${tell(x)}: ${percent(share)} still playing${towards(href)}`;
}
