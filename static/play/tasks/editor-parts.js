/** What the task editor is made of, and what it says about a state. */

import { gettext } from "../../shared/catalogue.js";
import { TaskGrid } from "./grid-view.js";
import { LARGEST } from "./grids.js";
import { canRedo, canUndo } from "./machine.js";
import { pressable } from "./tools.js";

/** @import { Grid, InputState, Part, Submissions, TaskContent } from "./types" */

/** As high as a caption of grids is, in pixels. */
export const CAPTION = 24;

/** The names of the tools that cannot be used now. @param {InputState} now @param {boolean} hasPart  whether something is chosen for a paste @param {boolean} waiting  for the answer to a submission @returns {Set<string>} */
export function unusable(now, hasPart, waiting) {
  const [height, width] = [now.grid.length, now.grid[0].length];
  const blocked = now.closed || waiting;
  const reasons = {
    paint: blocked, fill: blocked, select: blocked, copy_input: blocked, clear: blocked, submit: blocked,
    paste: blocked || !hasPart,
    undo: blocked || !canUndo(now),
    redo: blocked || !canRedo(now),
    lower: blocked || height === 1, higher: blocked || height === LARGEST,
    narrower: blocked || width === 1, wider: blocked || width === LARGEST,
  };
  return new Set(Object.entries(reasons).filter(([, holds]) => holds).map(([name]) => name));
}

/** @param {Submissions} rule @param {number} made */
export function triesLeft({ tries, most }, made) {
  return made < tries ? gettext("Tries left: {count}", { count: tries - made }) : gettext("More tries: {count}", { count: most - made });
}

/** @param {boolean | null} right @returns {[string, string]} */
export function verdictOn(right) {
  if (right === null) return ["sent", gettext("Submitted")];
  return right ? ["right", gettext("✓ Right")] : ["wrong", gettext("✕ Wrong")];
}

/** What an element has for grids below a caption. @param {HTMLElement} element */
export function roomOf(element) {
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const [beside, above] = [paddingLeft, paddingTop].map((padding) => 2 * Math.max(2, Number.parseFloat(padding)));
  return { width: element.clientWidth - beside, height: element.clientHeight - above - CAPTION };
}

/** What stands above grids: says what they are, and enlarges them. @param {string} text */
export function caption(text) {
  const found = pressable(gettext("Enlarge: {text}", { text }), "E");
  found.className = "task-zoom";
  found.append(text);
  return found;
}

/** @param {string} name @param {string} [role] @param {string} [label] */
export function div(name, role, label) {
  const found = Object.assign(document.createElement("div"), { className: name });
  if (role) found.setAttribute("role", role);
  if (label) found.setAttribute("aria-label", label);
  return found;
}

/** @param {Grid} cells @param {Pick<Part, "from" | "pair">} place */
function grid(cells, place) {
  const found = Object.assign(new TaskGrid(), { grid: cells, place });
  const kind = place.from === "input" ? gettext("Test input") : place.from === "demo_input"
    ? gettext("Demonstration {pair}, input", { pair: place.pair ?? 1 }) : gettext("Demonstration {pair}, output", { pair: place.pair ?? 1 });
  found.setAttribute("role", "img");
  found.setAttribute("aria-label", gettext("{kind}, {rows} rows and {columns} columns", { kind, rows: cells.length, columns: cells[0].length }));
  return found;
}

/** @param {string} label @param {TaskGrid[]} grids */
function pair(label, grids) {
  const found = div("task-pair", "group", label);
  found.append(caption(label), ...grids);
  return found;
}

/** The demonstrations and the test input in work. @param {TaskContent} task @param {number} open  index of the test input */
export function examples(task, open) {
  const pairs = task.demonstrations.map(({ input, output }, index) => {
    const grids = [grid(input, { from: "demo_input", pair: index + 1 }), grid(output, { from: "demo_output", pair: index + 1 })];
    return pair(gettext("Demonstration {pair}", { pair: index + 1 }), grids);
  });
  const title = task.tests.length > 1 ? gettext("Test input {input}", { input: open + 1 }) : gettext("Test input");
  const test = pair(title, [grid(task.tests[open].input, { from: "input" })]);
  test.classList.add("task-test");
  return [...pairs, test];
}

/** @param {Element} element */
export function gridsIn(element) {
  return [...element.querySelectorAll("task-grid")].filter((each) => each instanceof TaskGrid);
}
