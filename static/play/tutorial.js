/** The tutorial: a control lights when it is first used, and "Start" is enabled when all have been used. */

import "./page.js";
import { ACTION } from "../shared/actions.js";
import { PlayBoard } from "../shared/board.js";
import { required } from "../shared/required.js";
import { PlayControls } from "./controls.js";
import { offers } from "./keys.js";
import { PausedCover } from "./paused-cover.js";
import { PatternSwitch } from "./pattern-switch.js";
import { MEANT_FOR_THE_BOARD_MS, listen } from "./presses.js";
import { Scene } from "./scene.js";

const main = required(document, "main", HTMLElement);
const board = required(main, "play-board", PlayBoard);
const controls = required(main, "play-controls", PlayControls);
const patterns = required(main, "pattern-switch", PatternSwitch);
const cover = required(document, "paused-cover", PausedCover);
const start = required(main, ".start button", HTMLButtonElement);
/** The actions that environments of this study have, bit i: action i. */
const all = Number(main.dataset.actions);
const scene = new Scene();
let used = 0;

controls.offer(all, all);
board.patterns = patterns.on;
board.pointing = offers(all, ACTION.CLICK);
board.show([scene.frame()], 1);
board.focus();
// A preview for staff has none.
main.querySelector("call-staff")?.addEventListener("called", () => board.focus());
patterns.addEventListener("change", () => { board.patterns = patterns.on; });
// Before the presses of the board: as long as Start is disabled, Enter clicks the marked cell.
window.addEventListener("keydown", (event) => {
  if (cover.shown || event.key !== "Enter" || start.disabled || event.repeat || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  start.form?.requestSubmit();
});
listen({ board, controls, listening: () => !cover.shown, available: () => all }, ({ action, x, y }) => {
  if (!offers(all, action)) return;
  scene.act(action, x, y);
  board.show([scene.frame()], 1);
  use(action);
});

function use(/** @type {number} */ action) {
  const before = used;
  used |= 1 << action;
  controls.light(action);
  for (const lesson of main.querySelectorAll("li")) tick(lesson);
  if (before !== all && used === all) setTimeout(() => { start.disabled = false; }, MEANT_FOR_THE_BOARD_MS);
}

/** Ticks a line of the list if all its controls have been used. */
function tick(/** @type {HTMLElement} */ lesson) {
  const needed = Number(lesson.dataset.lesson);
  lesson.classList.toggle("used", (used & needed) === needed);
}
