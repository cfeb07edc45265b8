/** The tutorial: a control lights when it is first used, and "Start" is enabled when all have been used. */

import { ACTION } from "../shared/actions.js";
import { PlayBoard } from "../shared/board.js";
import { CELLS, SIDE } from "../shared/codec.js";
import { required } from "../shared/required.js";
import { PlayControls, anotherScreen, listen, untilRested } from "./controls.js";
import { IntentGate } from "./turn-taking.js";
import { DIRECTIONS, STEPS, offers } from "./keys.js";
import { PageLayout } from "./layout.js";
import { PausedCover } from "./notices.js";
import "./page.js";
import { PatternSwitch } from "./pattern-switch.js";

/** Cells in the side of a tile. */
const TILE = 8;
const GROUND = [4, 3];
const MARK = 0;
const BLOCK = 9;
const LIT = 11;

/** @typedef {{column: number, row: number, lit: boolean, marks: ReadonlySet<number>}} SceneState */

/** @type {SceneState} */
const OPENING = Object.freeze({ column: 3, row: 3, lit: false, marks: new Set() });

/** The board of the tutorial: a block to move, a light to switch, cells to mark. It is not an environment. */
class Scene {
  /** @type {SceneState[]} the latest last; never empty */
  #states = [OPENING];

  /** @param {number} action @param {number} [x]  cell of a click @param {number} [y] */
  act(action, x = 0, y = 0) {
    const now = this.#states[this.#states.length - 1];
    if (action === ACTION.RESET) this.#states = [OPENING];
    else if (action === ACTION.UNDO) this.#states = this.#states.slice(0, Math.max(1, this.#states.length - 1));
    else this.#states.push(after(now, action, x, y));
  }

  /** @returns {Uint8Array} */
  frame() {
    const { column, row, lit, marks } = this.#states[this.#states.length - 1];
    const frame = new Uint8Array(CELLS).map((_, cell) => GROUND[(tile(cell % SIDE) + tile(cell / SIDE)) % 2]);
    for (const mark of marks) fill(frame, mark % TILE, Math.floor(mark / TILE), 2, MARK);
    fill(frame, column, row, 1, BLOCK);
    if (lit) fill(frame, column, row, 3, LIT);
    return frame;
  }
}

/** @returns {SceneState} */
function after(
  /** @type {SceneState} */ now, /** @type {number} */ action, /** @type {number} */ x, /** @type {number} */ y,
) {
  if (action === ACTION.INTERACT) return { ...now, lit: !now.lit };
  if (action === ACTION.CLICK) return { ...now, marks: toggled(now.marks, tile(y) * TILE + tile(x)) };
  const [right, down] = STEPS[action];
  return { ...now, column: onBoard(now.column + right), row: onBoard(now.row + down) };
}

/** @returns {ReadonlySet<number>} */
function toggled(/** @type {ReadonlySet<number>} */ marks, /** @type {number} */ mark) {
  const changed = new Set(marks);
  if (!changed.delete(mark)) changed.add(mark);
  return changed;
}

function fill(
  /** @type {Uint8Array} */ frame, /** @type {number} */ column, /** @type {number} */ row,
  /** @type {number} */ inset, /** @type {number} */ colour,
) {
  for (let y = row * TILE + inset; y < (row + 1) * TILE - inset; y += 1) {
    for (let x = column * TILE + inset; x < (column + 1) * TILE - inset; x += 1) frame[y * SIDE + x] = colour;
  }
}

function tile(/** @type {number} */ position) {
  return Math.floor(position / TILE);
}

function onBoard(/** @type {number} */ index) {
  return Math.min(TILE - 1, Math.max(0, index));
}

const main = required(document, "main", HTMLElement);
const board = required(main, "play-board", PlayBoard);
const controls = required(main, "play-controls", PlayControls);
const patterns = required(main, "pattern-switch", PatternSwitch);
const cover = required(document, "paused-cover", PausedCover);
const start = required(main, ".start button", HTMLButtonElement);
/** The actions that environments of this study have, bit i: action i. */
const all = Number(main.dataset.actions);
const scene = new Scene();
const gate = new IntentGate();
let used = 0;

controls.offer(all, all);
new PageLayout(main, board, controls).arrange();
drawAsChosen();
board.pointing = offers(all, ACTION.CLICK);
board.show([scene.frame()], 1);
board.focus();
anotherScreen(gate);
// A preview for staff has none.
main.querySelector("call-staff")?.addEventListener("called", () => board.focus());
patterns.addEventListener("change", drawAsChosen);
// Before the presses of the board: as long as Start is disabled, Enter clicks the marked cell.
window.addEventListener("keydown", (event) => {
  if (cover.shown || event.key !== "Enter" || start.disabled || event.repeat || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  start.form?.requestSubmit();
});
listen({ board, controls, gate, listening: () => !cover.shown, available: () => all }, ({ action, x, y }) => {
  if (!offers(all, action)) return false;
  scene.act(action, x, y);
  board.show([scene.frame()], 1);
  use(action);
  return true;
}, ({ action }) => controls.refuse(action));

// Keys for the mark are told to who seems to have no mouse: at the first Tab, or arrow that moves the mark.
window.addEventListener("keydown", ({ key, shiftKey }) => {
  const marks = key.startsWith("Arrow") && (shiftKey || !(all & DIRECTIONS));
  if (offers(all, ACTION.CLICK) && (key === "Tab" || marks)) main.classList.add("without-mouse");
}, { capture: true });

function drawAsChosen() {
  board.patterns = patterns.on;
  board.softer = patterns.softer;
}

function use(/** @type {number} */ action) {
  const before = used;
  used |= 1 << action;
  controls.light(action);
  for (const lesson of main.querySelectorAll("li")) tick(lesson);
  // The last presses were meant for the board.
  if (before !== all && used === all) untilRested(gate, (rested) => { start.disabled = !rested; });
}

/** Ticks a line of the list if all its controls have been used. */
function tick(/** @type {HTMLElement} */ lesson) {
  const needed = Number(lesson.dataset.lesson);
  lesson.classList.toggle("used", (used & needed) === needed);
}
