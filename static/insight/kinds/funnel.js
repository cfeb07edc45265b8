/** One bar a level, stacked by outcome: how many people reached it and what became of them. */

import { Plot } from "../../vendor/plot/plot.js";
import { counted, distinct, number, percent, plotted, roomFor, towards, widthOf } from "../drawing.js";
import { legend, swatches } from "../legend.js";
import { definitions, looksOf, OUTCOMES } from "../looks.js";

const BAR = 34;

export function draw(figure, { width, key }) {
  const rows = figure.rows.filter((row) => row.people > 0);
  const levels = distinct(figure.rows, "level");
  const outcomes = OUTCOMES.map(({ name }) => name).filter((name) => rows.some((row) => row.outcome === name));
  const looks = looksOf(outcomes, key);
  const segments = stacked(rows, levels, outcomes);
  const most = Math.max(1, ...segments.map((segment) => segment.to));
  const shown = legend(outcomes.map((name) => ({ words: looks.get(name).words, swatch: swatches.box(looks.get(name)) })), width);
  const marginLeft = roomFor(levels.map(levelWords), width);
  const marginRight = widthOf(number(most)) + 14;
  const each = (width - marginLeft - marginRight) / most;
  const svg = plotted({
    width, height: shown.height + levels.length * BAR + 44, marginTop: shown.height + 4, marginBottom: 40, marginLeft, marginRight,
    x: { domain: [0, most], label: "People", labelAnchor: "left", labelArrow: "none", labelOffset: 36 },
    y: { domain: levels, label: null, tickFormat: levelWords, tickSize: 0, padding: 0.22 },
    marks: [
      Plot.gridX({ interval: 1, ticks: Math.min(most, width / 90), stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.axisX({ tickSize: 0, ticks: Math.min(most, width / 90), tickFormat: (tick) => (Number.isInteger(tick) ? number(tick) : ""), label: "People", labelAnchor: "left", labelArrow: "none" }),
      Plot.barX(segments, {
        x1: "from", x2: "to", y: "level", insetRight: 1, fill: (segment) => looks.get(segment.outcome).fill,
        stroke: (segment) => looks.get(segment.outcome).stroke, title: words, href: "href",
      }),
      Plot.text(segments.filter((segment) => each * segment.people > widthOf(number(segment.people)) + 8), {
        x: (segment) => (segment.from + segment.to) / 2, y: "level", text: (segment) => number(segment.people),
        fill: (segment) => looks.get(segment.outcome).ink, stroke: (segment) => looks.get(segment.outcome).colour, strokeWidth: 4,
        pointerEvents: "none", ariaHidden: "true",
      }),
      Plot.text(totals(segments), {
        x: "people", y: "level", text: ({ people }) => number(people), dx: 6, textAnchor: "start", fill: "var(--ink-soft)", ariaHidden: "true",
      }),
    ],
  });
  svg.prepend(...[definitions(looks, key), shown.node].filter(Boolean));
  return svg;
}

/** Every row with its place along the bar, and its share of those who reached the level. */
export function stacked(rows, levels, outcomes) {
  return levels.flatMap((level) => {
    const here = outcomes.flatMap((outcome) => rows.filter((row) => row.level === level && row.outcome === outcome));
    const reached = here.reduce((sum, row) => sum + row.people, 0);
    let from = 0;
    return here.map((row) => ({ ...row, reached, from, to: (from += row.people) }));
  });
}

function totals(segments) {
  return [...new Map(segments.map(({ level, reached }) => [level, { level, people: reached }])).values()];
}

function levelWords(level) {
  return typeof level === "number" ? `Level ${level}` : String(level);
}

function words(segment) {
  const { words: outcome } = OUTCOMES.find(({ name }) => name === segment.outcome);
  const share = percent(segment.people / segment.reached);
  return `${levelWords(segment.level)}, ${outcome}: ${counted(segment.people, "person", "people")}, ${share} of ${number(segment.reached)}${towards(segment.href)}`;
}
