/** How many people lie within each interval, stacked by group; lines for values they are held against. */

import { d3, Plot } from "../../vendor/plot/plot.js";
import { above, across, below, upwards, wholeTicks } from "../axes.js";
import { arranged, distinct, plotted, widthOf } from "../drawing.js";
import { listed } from "../legend.js";
import { inOrder, looksOf, patterns } from "../looks.js";
import { axisLabel, number, teller, towards, whole } from "../words.js";

const HEIGHT = 230;
const LINE = { colour: "var(--ink)", dash: "5 2", width: 1.5 };

export function draw(figure, { width, key }) {
  const rows = closed(figure.rows);
  const { lines = [] } = figure.options;
  const label = axisLabel(figure, "low", figure.options.x_label);
  const [counting, tell] = [axisLabel(figure, "people", figure.options.y_label), teller(figure, "people", figure.options.y_label)];
  const groups = inOrder(distinct(rows, "group"));
  const looks = looksOf(groups, key);
  const look = ({ group }) => looks.get(group);
  const bins = stacked(rows.filter(({ people }) => people > 0), groups);
  const most = Math.max(1, ...bins.map(({ to }) => to));
  const head = above(width, [...listed(looks, "box"), ...lines.map(({ name }) => ({ words: name, form: "tick", look: LINE }))], counting);
  const ends = [...rows.flatMap(({ low, high }) => [low, high]), ...lines.map(({ value }) => value)];
  const marginLeft = widthOf(number(most)) + 16;
  const svg = plotted({
    width, height: head.height + HEIGHT,
    marginTop: head.height + 4, marginBottom: below(label, width - marginLeft), marginLeft, marginRight: 16,
    x: { domain: d3.extent(ends) },
    y: { domain: [0, most], nice: true },
    marks: [
      ...upwards({ ticks: wholeTicks(most, HEIGHT, 40), tickFormat: whole }),
      ...across(label, width - marginLeft, { ticks: edges(rows, width) }),
      Plot.rect(bins, {
        x1: "low", x2: "high", y1: "from", y2: "to", inset: 0.5, fill: (row) => look(row).fill, stroke: (row) => look(row).stroke,
        title: (row) => words(row, tell, groups.length > 1 ? look(row) : null), href: "href",
      }),
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
      Plot.ruleX(lines, {
        x: "value", stroke: LINE.colour, strokeWidth: LINE.width, strokeDasharray: LINE.dash,
        title: ({ name, value }) => `${name}: ${number(value)}`,
      }),
    ],
  }, [patterns(looks, key), ...head.nodes]);
  arranged(svg, bins, ({ low }) => low, { stacked: true });
  return svg;
}

/** Every interval with an end; the last may be open ("30 and more"), and is drawn as wide as the first. */
function closed(rows) {
  const width = rows.find(({ high }) => high != null)?.high - rows.find(({ high }) => high != null)?.low || 1;
  return rows.map((row) => ({ ...row, open: row.high == null, high: row.high ?? row.low + width }));
}

/** Edges of intervals as ticks, also of those that nobody is in, as many as the axis has room for. */
function edges(rows, width) {
  const step = Math.min(...rows.map(({ low, high }) => high - low));
  const even = d3.range(d3.min(rows, ({ low }) => low), d3.max(rows, ({ high }) => high) + step / 2, step);
  const found = d3.sort(new Set(rows.flatMap(({ low, high }) => [low, high])));
  const all = found.every((edge) => even.some((other) => Math.abs(edge - other) < step / 1000)) ? even : found;
  const every = Math.ceil((all.length * 44) / width);
  return all.filter((_, index) => index % every === 0);
}

function stacked(rows, groups) {
  const tops = new Map();
  return groups.flatMap((group) => rows.filter((row) => row.group === group)).map((row) => {
    const from = tops.get(row.low) ?? 0;
    tops.set(row.low, from + row.people);
    return { ...row, from, to: from + row.people };
  });
}

function words({ low, high, open, people, href }, tell, look) {
  const range = open ? `${number(low)} and more` : `${number(low)} to ${number(high)}`;
  return `${range}${look ? `, ${look.words}` : ""}: ${tell(people)}${towards(href)}`;
}
