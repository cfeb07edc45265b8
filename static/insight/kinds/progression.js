/** Steps of each series, side by side where they would lie on each other; the one pointed at stands out. */

import { d3 } from "../../vendor/plot/plot.js";
import { above, across, below, upwards, wholeTicks } from "../axes.js";
import { element, fitted, linked, plotted, widthOf } from "../drawing.js";
import { axisLabel, number, teller, towards } from "../words.js";

const [HEIGHT, LANES, LABEL] = [380, 0.62, 14];
const FEW = 60;
/** Pixels of the longest label. */
const WIDEST = 180;

export function draw(figure, { width }) {
  const rows = figure.rows.filter(({ x, y }) => x !== null && y !== null);
  const [xLabel, yLabel] = ["x", "y"].map((axis) => axisLabel(figure, axis, figure.options[`${axis}_label`]));
  const series = inLanes([...Map.groupBy(rows, (row) => row.series).values()].map((own) => own.sort((one, other) => one.x - other.x)));
  const most = Math.max(1, ...rows.map(({ y }) => y));
  const head = above(width, [], yLabel);
  const labels = series.map(({ rows: steps }) => steps.at(-1).label ?? "");
  const marginRight = Math.ceil(Math.min(width * 0.3, WIDEST, Math.max(...labels.map((label) => widthOf(label))))) + 12;
  const marginLeft = widthOf(number(most)) + 18;
  const svg = plotted({
    width, height: head.height + HEIGHT,
    marginTop: head.height, marginBottom: below(xLabel, width - marginLeft - marginRight), marginLeft, marginRight,
    x: { domain: [0, Math.max(...rows.map(({ x }) => x)) || 1] },
    y: { domain: [Math.min(0, ...rows.map(({ y }) => y)) - 0.5, most + 0.5] },
    marks: [
      ...upwards({ ticks: wholeTicks(most, HEIGHT, 24) }),
      ...across(xLabel, width - marginLeft - marginRight),
    ],
  }, head.nodes);
  const [x, y] = ["x", "y"].map((axis) => svg.scale(axis).apply);
  const tell = ["x", "y"].map((axis) => teller(figure, axis, figure.options[`${axis}_label`]));
  const few = series.length <= FEW;
  const lines = series.map((one, index) => lineOf(one, { x, y, index, few }));
  const dots = series.map((one, index) => dotsOf(one, { x, y, index, few, say: (row) => words(row, tell) }));
  label(series, dots, { x, y, width });
  svg.append(...lines, ...dots);
  return svg;
}

/** Each series with a lane of its own within a level, so that many at one level lie beside each other. */
function inLanes(all) {
  const whole = all.every((rows) => rows.every(({ y }) => Number.isInteger(y)));
  const order = [...all.keys()].sort((one, other) => all[one].at(-1).x - all[other].at(-1).x);
  return all.map((rows, index) => ({
    rows, lane: whole && all.length > 1 ? LANES * (order.indexOf(index) / (all.length - 1) - 0.5) : 0,
  }));
}

/** A series' line, and a wider one unseen, to point at; all lie behind all dots. */
function lineOf({ rows, lane }, { x, y, index, few }) {
  const d = d3.line((row) => x(row.x), (row) => y(row.y + lane)).curve(d3.curveStepAfter)(rows);
  const href = rows.findLast((row) => row.href)?.href;
  const path = (attributes) => element("path", { d, fill: "none", ...attributes });
  const seen = path({ stroke: "var(--ink-soft)", "stroke-width": 1.25, "stroke-opacity": few ? 0.55 : 0.25 });
  const wide = path({ stroke: "transparent", "stroke-width": 9, "data-tip": whole(rows.at(-1)) });
  return element("g", { "data-series": index }, seen, href ? element("a", { href, tabindex: -1, "aria-hidden": "true" }, wide) : wide);
}

function dotsOf({ rows, lane }, { x, y, index, few, say }) {
  return element("g", { "data-series": index }, ...rows.filter((row) => row.href).map((row) => {
    const dot = element("circle", { cx: x(row.x), cy: y(row.y + lane), r: few ? 2.5 : 1.75, fill: "var(--series-1)" });
    const link = linked(dot, say(row), row.href);
    link.setAttribute("data-row", index);
    return link;
  }));
}

/** Labels at the ends, those who came farthest first; only where neither a label nor a dot is. */
function label(series, drawn, { x, y, width }) {
  const taken = series.flatMap(({ rows, lane }) => rows.map((row) => boxAround(x(row.x), y(row.y + lane), 3, 3)));
  const ends = series.map(({ rows }) => rows.at(-1));
  const order = [...series.keys()].sort((one, other) => ends[other].y - ends[one].y || ends[one].x - ends[other].x);
  for (const index of order) {
    const end = ends[index];
    const [left, middle] = [x(end.x) + 6, y(end.y + series[index].lane)];
    const text = fitted(end.label ?? "", WIDEST);
    const half = widthOf(text) / 2;
    const box = boxAround(left + half, middle, half, LABEL / 2);
    if (!text || box.right > width || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    drawn[index].append(element("text", {
      x: left, y: middle, dy: "0.34em", "text-anchor": "start", fill: "currentColor", "aria-hidden": "true", "pointer-events": "none",
      stroke: "var(--paper)", "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke",
    }, text));
  }
}

function boxAround(x, y, halfWidth, halfHeight) {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function whole({ series, label: said }) {
  return `${series}${said ? `: ${said}` : ""}`;
}

function words({ series, x, y, label: said, href }, [tellX, tellY]) {
  return `${series}: ${tellX(x)}, ${tellY(y)}${said ? `, ${said}` : ""}${towards(href)}`;
}
