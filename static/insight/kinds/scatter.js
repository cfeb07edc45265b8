/** One mark a row by two measures; groups differ by colour and form, marks at one place lie around it. */

import { d3, Plot } from "../../vendor/plot/plot.js";
import { above, across, below, upwards } from "../axes.js";
import { distinct, plotted, widthOf } from "../drawing.js";
import { listed } from "../legend.js";
import { looksOf } from "../looks.js";
import { spread } from "../swarm.js";
import { axisLabel, number, teller, towards } from "../words.js";

const HEIGHT = 340;
const CROWD = 400;
const TOP = 6;
const MARGIN = 60;

export function draw(figure, { width, key }) {
  const rows = figure.rows.filter(({ x, y }) => x !== null && y !== null);
  const groups = distinct(rows, "group");
  const looks = looksOf(groups, key);
  const look = ({ group }) => looks.get(group);
  const [xLabel, yLabel] = ["x", "y"].map((axis) => axisLabel(figure, axis, figure.options[`${axis}_label`]));
  const tell = ["x", "y"].map((axis) => teller(figure, axis, figure.options[`${axis}_label`]));
  const head = above(width, listed(looks, "symbol"), yLabel);
  const bottom = below(xLabel, width - MARGIN);
  const radius = rows.length > CROWD ? 3 : 4.5;
  const y = d3.scaleLinear(domain(rows, "y"), [head.height + HEIGHT - bottom, head.height + TOP]).nice();
  const marginLeft = Math.ceil(Math.max(...y.ticks(5).map((tick) => widthOf(number(tick))))) + 18;
  const x = d3.scaleLinear(domain(rows, "x"), [marginLeft, width - 16]).nice();
  const places = spread(rows.map((row) => ({ x: x(row.x), y: y(row.y) })), radius);
  return plotted({
    width, height: head.height + HEIGHT, marginTop: head.height + TOP, marginBottom: bottom, marginLeft, marginRight: 16,
    x: { domain: x.domain() }, y: { domain: y.domain() },
    marks: [
      ...upwards(),
      ...across(xLabel, width - MARGIN),
      Plot.ruleY([y.domain()[0]], { stroke: "var(--ink-soft)" }),
      Plot.dot(rows, {
        x: { value: (_, index) => places[index].x, scale: null }, y: { value: (_, index) => places[index].y, scale: null }, r: radius,
        symbol: { value: (row) => look(row).symbol, scale: null },
        fill: (row) => look(row).colour, fillOpacity: rows.length > CROWD ? 0.5 : 0.8,
        title: (row) => words(row, tell, groups.length > 1 ? look(row) : null), href: "href",
      }),
    ],
  }, head.nodes);
}

/** From zero, unless the values lie close together far from it. */
function domain(rows, name) {
  const values = rows.map((row) => row[name]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return least === 0 ? [0, 1] : [Math.min(0, 2 * least), Math.max(0, 2 * least)];
  if (least > 0) return [least < most / 2 ? 0 : least, most];
  return [least, Math.max(most, 0)];
}

function words({ label, x, y, href }, [tellX, tellY], look) {
  return `${label}${look ? `, ${look.words}` : ""}: ${tellX(x)}, ${tellY(y)}${towards(href)}`;
}
