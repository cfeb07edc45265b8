/** One bar a level, stacked by outcome: how many people reached it and what became of them. */

import { Plot } from "../../vendor/plot/plot.js";
import { above, across, below, wholeTicks } from "../axes.js";
import { arranged, distinct, fitted, plotted, roomFor, widthOf } from "../drawing.js";
import { inOrder, looksOf, patterns } from "../looks.js";
import { groupWords, number, percent, teller, towards, whole } from "../words.js";

const BAR = 34;
const WIDE = 560;
/** Pixels: however few of thousands, they can be seen. */
const THINNEST = 2;

export function draw(figure, { width, key }) {
  const { rows } = figure;
  const tell = teller(figure, "people");
  const levels = distinct(rows, "level");
  const looks = looksOf(inOrder(distinct(rows.filter(({ people }) => people > 0), "outcome")), key);
  const bars = levels.map((level) => stacked(rows.filter((row) => row.level === level), [...looks.keys()]));
  const segments = bars.flat();
  const look = ({ outcome }) => looks.get(outcome);
  const reached = bars.map((bar, index) => ({ level: levels[index], people: bar.at(-1)?.to ?? 0 }));
  const most = Math.max(1, ...reached.map(({ people }) => people));
  const totals = reached.map(({ people }, index) => (width > WIDE && index === 0 ? `${number(people)} reached` : number(people)));
  const head = above(width, [...looks.values()].map((found) => ({ words: found.words, form: "box", look: found })));
  const marginLeft = roomFor(levels.map((level) => groupWords(level)), width);
  const marginRight = roomForTotals(totals, reached.map(({ people }) => (width - marginLeft) * (1 - people / most)));
  const length = width - marginLeft - marginRight;
  const [each, bottom] = [length / most, below("People", length)];
  const gap = ({ people }) => (people * each > 2 * THINNEST ? 0.5 / each : 0);
  const svg = plotted({
    width, height: head.height + levels.length * BAR + bottom, marginTop: head.height, marginBottom: bottom, marginLeft, marginRight,
    x: { domain: [0, most] },
    y: { domain: levels, padding: 0.22 },
    marks: [
      ...across("People", length, { grid: true, ticks: wholeTicks(most, width), tickFormat: whole }),
      Plot.axisY({ tickSize: 0, tickPadding: 8, tickFormat: (level) => fitted(groupWords(level), marginLeft - 10), label: null }),
      Plot.barX(segments, {
        x1: (row) => row.from + gap(row), x2: (row) => Math.max(row.to - gap(row), row.from + THINNEST / each), y: "level",
        fill: (row) => look(row).fill, stroke: (row) => (gap(row) ? look(row).stroke : "none"),
        title: (row) => words(row, look(row), tell), href: "href",
      }),
      Plot.text(segments.filter(({ people }) => each * people > widthOf(number(people)) + 8), {
        x: (row) => (row.from + row.to) / 2, y: "level", text: ({ people }) => number(people), fill: (row) => look(row).ink,
        stroke: (row) => look(row).plain, strokeWidth: 5, pointerEvents: "none", ariaHidden: "true",
      }),
      Plot.text(reached, {
        x: "people", y: "level", text: (_, index) => totals[index], dx: 6,
        textAnchor: "start", fill: "var(--ink-soft)", ariaHidden: "true",
      }),
    ],
  }, [patterns(looks, key), ...head.nodes]);
  arranged(svg, segments, ({ level }) => level);
  return svg;
}

/** A bar's rows in the order of `outcomes`, each with its place along the bar. */
function stacked(rows, outcomes) {
  const shown = outcomes.flatMap((outcome) => rows.filter((row) => row.outcome === outcome && row.people > 0));
  const reached = shown.reduce((sum, { people }) => sum + people, 0);
  let from = 0;
  return shown.map((row) => ({ ...row, reached, from, to: (from += row.people) }));
}

/** What the numbers behind the bars need more than what the bars leave free. */
function roomForTotals(totals, free) {
  return Math.ceil(Math.max(0, ...totals.map((text, index) => widthOf(text) - free[index]))) + 12;
}

function words({ level, people, reached, href }, look, tell) {
  const share = percent(people / reached);
  return `${groupWords(level)}, ${look.words}: ${tell(people)}, ${share} of ${number(reached)}${towards(href)}`;
}
