/** One bar a level, stacked by outcome: how many people reached it and their outcomes. */

import { Plot } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis } from "../axes.js";
import { distinct, labelWidth, plot, setRows, textWidth, truncate } from "../plotting.js";
import { formatter, groupLabel, linkHint, number, percent, wholeNumber } from "../labels.js";
import { patterns, stackingOrder, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Space, Style } from "../types" */
/** @typedef {{level: number | string, outcome: string, people: number, href?: string | null}} Row */
/** @typedef {Row & {reached: number, from: number, to: number}} Segment */

const LEAST_BAR = 22;
const WIDE = 560;
/** Pixels: however few of thousands, they can be seen. */
const THINNEST = 2;

/** @param {Figure<Row>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const { rows } = figure;
  const format = formatter(figure, "people");
  const levels = distinct(rows, "level");
  const outcomes = stackingOrder(distinct(rows.filter(({ people }) => people > 0), "outcome"));
  const styles = stylesOf(outcomes, key);
  const bars = levels.map((level) => stacked(rows.filter((row) => row.level === level), outcomes));
  const segments = bars.flat();
  const style = (/** @type {Row} */ { outcome }) => styleOf(styles, outcome);
  const reached = bars.map((bar, index) => ({ level: levels[index], people: bar.at(-1)?.to ?? 0 }));
  const most = Math.max(1, ...reached.map(({ people }) => people));
  const totals = reached.map(({ people }, index) => (width > WIDE && index === 0 ? `${number(people)} reached` : number(people)));
  const head = header(width, [...styles.values()].map((each) => ({ label: each.label, swatch: "box", style: each })));
  const marginLeft = labelWidth(levels.map((level) => groupLabel(level)), width);
  const marginRight = totalsWidth(totals, reached.map(({ people }) => (width - marginLeft) * (1 - people / most)));
  const length = width - marginLeft - marginRight;
  const [each, bottom] = [length / most, bottomMargin("People", length)];
  const gap = (/** @type {Row} */ { people }) => (people * each > 2 * THINNEST ? 0.5 / each : 0);
  const svg = plot({
    width, height: Math.max(height, head.height + levels.length * LEAST_BAR + bottom), marginTop: head.height, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: [0, most] },
    y: { domain: levels, padding: 0.22 },
    marks: [
      ...xAxis("People", length, { grid: true, ticks: integerTicks(most, width), tickFormat: wholeNumber }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (level) => truncate(groupLabel(level), marginLeft - 10), label: null }),
      Plot.barX(segments, {
        x1: (row) => row.from + gap(row), x2: (row) => Math.max(row.to - gap(row), row.from + THINNEST / each), y: "level",
        fill: (row) => style(row).fill, stroke: (row) => (gap(row) ? style(row).stroke : "none"),
        title: (row) => markLabel(row, style(row), format), href: "href",
      }),
      Plot.text(segments.filter(({ people }) => each * people > textWidth(number(people)) + 8), {
        x: (row) => (row.from + row.to) / 2, y: "level", text: ({ people }) => number(people), fill: (row) => style(row).ink,
        stroke: (row) => style(row).plain, strokeWidth: 5, pointerEvents: "none", ariaHidden: "true",
      }),
      Plot.text(reached, {
        x: "people", y: "level", text: (_, index) => totals[index], dx: 6,
        textAnchor: "start", fill: "var(--ink-soft)", ariaHidden: "true",
      }),
    ],
  }, [patterns(styles, key), ...head.nodes]);
  setRows(svg, segments, ({ level }) => level);
  return svg;
}

/** A bar's rows in the order of `outcomes`, each with its place along the bar. @param {Row[]} rows @param {string[]} outcomes @returns {Segment[]} */
function stacked(rows, outcomes) {
  const shown = outcomes.flatMap((outcome) => rows.filter((row) => row.outcome === outcome && row.people > 0));
  const reached = shown.reduce((sum, { people }) => sum + people, 0);
  let from = 0;
  return shown.map((row) => ({ ...row, reached, from, to: (from += row.people) }));
}

/** How much wider the numbers behind the bars are than the space that the bars leave. @param {string[]} totals @param {number[]} free */
function totalsWidth(totals, free) {
  return Math.ceil(Math.max(0, ...totals.map((text, index) => textWidth(text) - free[index]))) + 12;
}

/** @param {Segment} segment @param {Style} style @param {Format} format */
function markLabel({ level, people, reached, href }, style, format) {
  const share = percent(people / reached);
  return `${groupLabel(level)}, ${style.label}: ${format(people)}, ${share} of ${number(reached)}${linkHint(href)}`;
}
