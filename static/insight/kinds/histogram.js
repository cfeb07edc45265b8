/** How many people lie within each interval, stacked by group. */

import { Plot } from "../../vendor/plot/plot.js";
import { axisLabel, counted, distinct, number, plotted, towards, widthOf } from "../drawing.js";
import { legend, swatches } from "../legend.js";
import { definitions, looksOf, OUTCOMES } from "../looks.js";

const HEIGHT = 240;

export function draw(figure, { width, key }) {
  const rows = figure.rows.filter((row) => row.people > 0);
  const groups = inOrder(distinct(rows, "group").filter((group) => group !== undefined));
  const looks = looksOf(groups.length ? groups : [null], key);
  const lookOf = (row) => looks.get(row.group ?? null) ?? looks.values().next().value;
  const bins = stacked(rows, groups);
  const most = Math.max(1, ...bins.map((bin) => bin.to));
  const label = axisLabel(figure, "low", figure.options.x_label);
  const shown = legend(groups.length > 1 ? groups.map((group) => ({ words: looks.get(group).words, swatch: swatches.box(looks.get(group)) })) : [], width);
  const svg = plotted({
    width, height: HEIGHT + shown.height, marginTop: shown.height + 24, marginBottom: 40, marginLeft: widthOf(number(most)) + 18, marginRight: 16,
    y: { domain: [0, most], nice: true },
    marks: [
      Plot.gridY({ ticks: Math.min(most, 5), stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisY({ ticks: Math.min(most, 5), tickSize: 0, tickFormat: (tick) => (Number.isInteger(tick) ? number(tick) : ""), label: "People", labelArrow: "none" }),
      Plot.axisX({ ticks: width / 90, tickSize: 4, tickFormat: number, label, labelAnchor: "left", labelArrow: "none" }),
      Plot.rect(bins, {
        x1: "low", x2: "high", y1: "from", y2: "to", insetLeft: 0.5, insetRight: 0.5, fill: (row) => lookOf(row).fill, stroke: (row) => lookOf(row).stroke,
        title: (row) => words(row, lookOf(row), groups), href: "href",
      }),
      Plot.ruleY([0], { stroke: "var(--ink-soft)" }),
    ],
  });
  svg.prepend(...[definitions(looks, key), shown.node].filter(Boolean));
  return svg;
}

function inOrder(groups) {
  const place = (group) => OUTCOMES.findIndex(({ name }) => name === group);
  return groups.every((group) => place(group) >= 0) ? groups.sort((one, other) => place(one) - place(other)) : groups;
}

function stacked(rows, groups) {
  const tops = new Map();
  const ordered = groups.length ? groups.flatMap((group) => rows.filter((row) => row.group === group)) : rows;
  return ordered.map((row) => {
    const from = tops.get(row.low) ?? 0;
    tops.set(row.low, from + row.people);
    return { ...row, from, to: from + row.people };
  });
}

function words(row, look, groups) {
  const group = groups.length > 1 ? `${look.words}, ` : "";
  return `${group}${number(row.low)} to ${number(row.high)}: ${counted(row.people, "person", "people")}${towards(row.href)}`;
}
