/** One dot a person, one row a group, dots moved aside so that none hides another; marks for known values. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, distinct, number, plotted, roomFor, towards } from "../drawing.js";
import { legend, swatches } from "../legend.js";

const ROW = 56;
const LINES = { baseline: { dash: null, width: 3 }, best: { dash: "5 2", width: 2 }, optimal: { dash: "2 2", width: 2 } };

export function draw(figure, { width }) {
  const { lines = [], log = false, value_label: said, group_label: groupSaid } = figure.options;
  const rows = figure.rows.filter((row) => row.value !== null);
  const groups = distinct(figure.rows, "group");
  const groupWords = (group) => (typeof group === "number" ? `${groupSaid ?? "Level"} ${group}` : String(group));
  const label = axisLabel(figure, "value", said);
  const marginLeft = roomFor(groups.map(groupWords), width);
  const names = distinct(lines, "name");
  const shown = legend(names.map((name) => ({ words: name, swatch: swatches.line({ colour: "var(--ink)", dash: LINES[name]?.dash }) })), width);
  const svg = plotted({
    width, height: shown.height + groups.length * ROW + 48, marginTop: shown.height + 4, marginBottom: 40, marginLeft, marginRight: 20,
    x: { type: log ? "log" : "linear", nice: true, ...(log ? {} : { zero: true }) },
    fy: { domain: groups, label: null, tickFormat: groupWords },
    marks: [
      Plot.gridX({ ticks: width / 90, stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisFy({ anchor: "left", tickFormat: groupWords, label: null, frameAnchor: "left", textAnchor: "end", dx: -10 }),
      Plot.axisX({ ticks: width / 90, tickSize: 0, tickFormat: number, label, labelAnchor: "left", labelArrow: "none" }),
      ...names.map((name) => Plot.ruleX(lines.filter((line) => line.name === name && line.value !== null), {
        x: "value", fy: "group", stroke: "var(--ink)", strokeWidth: LINES[name]?.width ?? 2, strokeDasharray: LINES[name]?.dash ?? undefined,
      })),
      Plot.dot(rows, Plot.dodgeY("middle", {
        x: "value", fy: "group", r: 4, fill: "var(--accent)",
        title: (row) => `${row.label}, ${groupWords(row.group)}: ${number(row.value)}${towards(row.href)}`, href: "href",
      })),
    ],
  });
  svg.prepend(shown.node);
  return svg;
}
