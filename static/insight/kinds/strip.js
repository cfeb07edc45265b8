/** One dot a person, one row a group, dots moved aside so that none hides another; lines for values known of the group. */

import { d3, Plot } from "../../vendor/plot/plot.js";
import { above, across, below } from "../axes.js";
import { arranged, distinct, element, fitted, plotted, roomFor, widthOf } from "../drawing.js";
import { swarms } from "../swarm.js";
import { axisLabel, groupWords, number, teller, towards } from "../words.js";

const LINES = {
  baseline: { colour: "var(--ink)", dash: null, width: 2.5 },
  best: { colour: "var(--ink)", dash: "5 2", width: 1.5 },
  "fewest known": { colour: "var(--ink)", dash: "1.5 2", width: 1.5 },
};
const OTHER = { colour: "var(--ink-soft)", dash: "8 3 2 3", width: 1.5 };
const [CAPTION, LEAST_HALF, GAP] = [16, 13, 8];
const ROUNDEST = [1, 2, 5, 3, 4, 6, 8, 7, 9];

export function draw(figure, { width }) {
  const { lines = [], log = false, value_label: said, group_label: noun } = figure.options;
  const label = axisLabel(figure, "value", said);
  const tell = teller(figure, "value", said);
  const drawn = lines.filter(({ value }) => value !== null);
  const groups = [...new Set([...distinct(drawn, "group"), ...distinct(figure.rows, "group")])];
  const dots = groups.map((group) => figure.rows.filter((row) => row.group === group && row.value !== null));
  const names = distinct(drawn, "name");
  const head = above(width, names.map((name) => ({ words: name, form: "tick", look: LINES[name] ?? OTHER })));
  const titles = groups.map((group) => groupWords(group, noun));
  const marginLeft = roomFor(titles, width);
  const x = scale([...dots.flat(), ...drawn].map(({ value }) => value), log).range([marginLeft + 6, width - 20]);
  const { radius, rows: swarm } = swarms(dots.map((row) => row.map(({ value }) => x(value))), x.range());
  const bands = bandsOf(swarm, radius, head.height, names.length ? CAPTION : 0);
  const bottom = below(label, width - marginLeft);
  const height = Math.ceil(bands.at(-1).bottom + bottom);
  const placed = (band, { x: px, y: aside }) => ({ band, px, py: bands[band].middle + aside });
  const marks = dots.flatMap((row, band) => row.map((person, nth) => ({ ...person, ...placed(band, swarm[band][nth]) })));
  const svg = plotted({
    width, height, marginTop: head.height, marginBottom: bottom, marginLeft, marginRight: 0,
    x: { type: "identity" }, y: { type: "identity", axis: null },
    marks: [
      ticks(x, width - marginLeft, head.height, height - bottom),
      ...across(label, width - marginLeft, { ticks: [] }),
      Plot.text(titles.map((title, band) => ({ title, y: bands[band].middle })), {
        x: marginLeft - 10, y: "y", text: ({ title }) => fitted(title, marginLeft - 10), textAnchor: "end", fill: "currentColor",
      }),
      ...names.map((name) => known(drawn.filter((line) => line.name === name), LINES[name] ?? OTHER, {
        x, bandOf: ({ group }) => bands[groups.indexOf(group)],
        words: ({ group, value }) => `${groupWords(group, noun)}, ${name}: ${tell(value)}`,
      })),
      Plot.dot(marks, { x: "px", y: "py", r: radius, fill: "var(--series-1)", title: (row) => words(row, noun, tell), href: "href" }),
      captions(drawn.filter(({ name }) => name === "baseline"), { x, bands, groups, width }),
    ],
  }, head.nodes);
  arranged(svg, marks, ({ band }) => band);
  return svg;
}

/** From zero; or by powers, where zero, if there is one, stands before 1. */
function scale(values, log) {
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  if (!log) return d3.scaleLinear().domain([Math.min(0, least), Math.max(0, most) || 1]).nice();
  if (least <= 0) return d3.scaleSymlog().domain([least, Math.max(0, most) || 1]);
  return d3.scaleLog().domain(least === most ? [least / 2, most * 2] : [least * 0.9, most * 1.1]);
}

/** Where each row stands: room above its dots for what its baseline is, then the dots, then a gap. */
function bandsOf(swarm, radius, top, caption) {
  let at = top;
  return swarm.map((row) => {
    const half = Math.max(LEAST_HALF, ...row.map(({ y }) => Math.abs(y) + radius + 5));
    const band = { top: at + caption, middle: at + caption + half, bottom: at + caption + 2 * half };
    at = band.bottom + GAP;
    return band;
  });
}

/** Lines of one name, each across its group's row. */
function known(lines, { colour, width, dash }, { x, bandOf, words }) {
  const at = ({ value }) => x(value);
  return Plot.link(lines, {
    x1: at, x2: at, y1: (line) => bandOf(line).top, y2: (line) => bandOf(line).bottom,
    stroke: colour, strokeWidth: width, strokeDasharray: dash, title: words,
  });
}

function ticks(x, length, top, bottom) {
  const shown = readable(x.ticks(Math.max(2, Math.floor(length / 64))), x);
  return () => element("g", { "aria-hidden": "true" }, ...shown.flatMap((tick) => [
    element("line", { x1: x(tick), x2: x(tick), y1: top, y2: bottom, stroke: "var(--rule)" }),
    element("text", { x: x(tick), y: bottom + 19, fill: "var(--ink-soft)" }, number(tick)),
  ]));
}

/** Ticks whose numbers have room beside each other; where they lie too close, the roundest ones. */
function readable(ticks, x) {
  const kept = [];
  for (const tick of d3.sort(ticks, roundness)) {
    const room = (other) => (widthOf(number(tick)) + widthOf(number(other))) / 2 + 10;
    if (kept.every((other) => Math.abs(x(tick) - x(other)) >= room(other))) kept.push(tick);
  }
  return d3.sort(kept);
}

function roundness(tick) {
  return tick > 0 ? ROUNDEST.indexOf(Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9))) : -1;
}

/** "baseline 41" above the first row's line, its number above the others. */
function captions(lines, { x, bands, groups, width }) {
  return () => element("g", { "aria-hidden": "true" }, ...lines.map(({ group, value }, index) => {
    const words = index === 0 ? `baseline ${number(value)}` : number(value);
    const half = widthOf(words) / 2;
    return element("text", {
      x: Math.max(half, Math.min(x(value), width - half)), y: bands[groups.indexOf(group)].top - 4, fill: "currentColor",
    }, words);
  }));
}

function words({ label, group, value, href }, noun, tell) {
  const where = groupWords(group, noun);
  return `${label}, ${typeof group === "number" ? where.toLowerCase() : where}, ${tell(value)}${towards(href)}`;
}
