/** One bar a level, stacked by outcome, between its first frame and the boards of who left it. */

import { Plot, d3 } from "../../vendor/plot/plot.js";
import { bottomMargin, header, integerTicks, xAxis } from "../axes.js";
import { distinct, labelWidth, plot, setRows, textWidth, truncate } from "../plotting.js";
import { doubt, formatter, groupLabel, linkHint, number, percent, wholeNumber } from "../labels.js";
import { hatching, patterns, stackingOrder, styleOf, stylesOf } from "../styles.js";

/** @import { Figure, Format, Space, Style } from "../types" */
/** @typedef {{level: number | string, outcome: string, people: number, under_review?: number, href?: string | null}} Row */
/** @typedef {Row & {reached: number, from: number, to: number}} Segment */
/** @typedef {{src: string, href: string}} Picture */
/** @typedef {Picture & {level: number, who: string, outcome: string, under_review: boolean}} Board */
/** @typedef {{labels?: Record<string, string>, levels?: Record<string, Picture>, ends?: Board[], before?: {name: string, levels: Record<string, [number, number]>}}} Options */

const LEAST_BAR = 22;
const WIDE = 560;
/** Pixels: however few of thousands, they can be seen. */
const THINNEST = 2;
const PICTURE = 34;
const STEP = PICTURE + 3;
/** On a phone. */
const FEW_BOARDS = 2;

/** @param {Figure<Row, Options>} figure @param {Space} space */
export function draw(figure, { width, height, key }) {
  const { rows } = figure;
  const format = formatter(figure, "people");
  const levels = distinct(rows, "level");
  const outcomes = stackingOrder(distinct(rows.filter(({ people }) => people > 0), "outcome"));
  const styles = stylesOf(outcomes, key, figure.options.labels);
  const bars = levels.map((level) => stacked(rows.filter((row) => row.level === level), outcomes));
  const segments = bars.flat();
  const style = (/** @type {Row} */ { outcome }) => styleOf(styles, outcome);
  const reached = bars.map((bar, index) => ({ level: levels[index], people: bar.at(-1)?.to ?? 0 }));
  const most = Math.max(1, ...reached.map(({ people }) => people));
  const totals = reached.map(({ people }, index) => (width > WIDE && index === 0 ? `${number(people)} reached` : number(people)));
  const hatched = hatching(rows, key);
  const { levels: pictures, before } = figure.options;
  const firsts = levels.flatMap((level) => (pictures?.[level] ? [{ level, ...pictures[level] }] : []));
  const shown = width > WIDE ? Infinity : FEW_BOARDS;
  const boards = levels.flatMap((level) => (figure.options.ends ?? []).filter((end) => end.level === level).slice(0, shown).map((end, place) => ({ ...end, place })));
  const forBoards = STEP * Math.max(0, ...boards.map(({ place }) => place + 1));
  const ticks = before ? reached.flatMap(({ level, people }) => {
    const [completed, of] = before.levels[level] ?? [0, 0];
    return of ? [{ level, at: people * completed / of, text: `${groupLabel(level)} at version ${before.name}: ${number(completed)} of ${number(of)} completed` }] : [];
  }) : [];
  const compared = before ? [{ label: `completed at version ${before.name}`, swatch: /** @type {const} */ ("tick"), style: TICK }] : [];
  const head = header(width, [...[...styles.values()].map((each) => (/** @type {const} */ ({ label: each.label, swatch: "box", style: each }))), ...hatched.items, ...compared]);
  const forFirsts = firsts.length ? STEP + 3 : 0;
  const marginLeft = forFirsts + labelWidth(levels.map((level) => groupLabel(level)), width);
  const inner = width - marginLeft - forBoards;
  const marginRight = forBoards + totalsWidth(totals, reached.map(({ people }) => inner * (1 - people / most)));
  const length = width - marginLeft - marginRight;
  const [each, bottom] = [length / most, bottomMargin("People", length)];
  const gap = (/** @type {Row} */ { people }) => (people * each > 2 * THINNEST ? 0.5 / each : 0);
  const svg = plot({
    width, height: Math.max(height, head.height + levels.length * LEAST_BAR + bottom), marginTop: head.height, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: [0, most] },
    y: { domain: levels, padding: firsts.length ? 0.15 : 0.22 },
    marks: [
      ...xAxis("People", length, { grid: true, ticks: integerTicks(most, width), tickFormat: wholeNumber }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (level) => truncate(groupLabel(level), marginLeft - forFirsts - 10), label: null }),
      Plot.image(firsts, { ...images, frameAnchor: "left", dx: PICTURE / 2 - marginLeft, title: ({ level }) => `${groupLabel(level)}, first frame` }),
      Plot.barX(segments, {
        x1: (row) => row.from + gap(row), x2: (row) => Math.max(row.to - gap(row), row.from + THINNEST / each), y: "level",
        fill: (row) => style(row).fill, stroke: (row) => (gap(row) ? style(row).stroke : "none"),
        title: (row) => markLabel(row, style(row), format), href: "href",
      }),
      Plot.barX(segments.filter((row) => row.under_review), {
        x1: (row) => row.to - (row.under_review ?? 0) + gap(row), x2: (row) => row.to - gap(row), y: "level", ...hatched.over,
      }),
      Plot.text(segments.filter(({ people }) => each * people > textWidth(number(people)) + 8), {
        x: (row) => (row.from + row.to) / 2, y: "level", text: ({ people }) => number(people), fill: (row) => style(row).ink,
        stroke: (row) => style(row).plain, strokeWidth: 5, pointerEvents: "none", ariaHidden: "true",
      }),
      Plot.text(reached, {
        x: "people", y: "level", text: (_, index) => totals[index], dx: 6,
        textAnchor: "start", fill: "var(--ink-soft)", ariaHidden: "true",
      }),
      Plot.tickX(ticks, { x: "at", y: "level", stroke: TICK.colour, strokeWidth: TICK.width, title: "text" }),
      ...d3.groups(boards, ({ place }) => place).map(([place, some]) => Plot.image(some, {
        ...images, frameAnchor: "right", dx: marginRight - forBoards + place * STEP + STEP / 2,
        title: (end) => `${groupLabel(end.level)}, ${end.who}: ${styleOf(styles, end.outcome).label}${doubt(end)}. Watch the end`,
      })),
    ],
  }, [patterns(styles, key), hatched.pattern, ...head.nodes]);
  const inTurn = d3.groups(boards, ({ place }) => place).flatMap(([, some]) => some);
  setRows(svg, [...firsts, ...segments, ...inTurn], ({ level }) => level);
  return svg;
}

const TICK = { colour: "var(--ink)", width: 3 };
const images = { y: "level", src: "src", href: "href", width: PICTURE, height: PICTURE, imageRendering: "pixelated" };

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
function markLabel({ level, people, reached, href, ...row }, style, format) {
  const share = percent(people / reached);
  return `${groupLabel(level)}, ${style.label}: ${format(people)}, ${share} of ${number(reached)}${doubt(row)}${linkHint(href)}`;
}
