/** The tutorial: each control lights when it is first used, and "Start" wakes when all have been. */

import "./page.js";
import "../shared/board.js";
import { ACTION } from "../shared/actions.js";
import "./controls.js";
import { offers } from "./keys.js";
import "./pattern-switch.js";
import { listen } from "./presses.js";
import { Scene } from "./scene.js";

/** What was still meant for the board must not press Start. */
const MEANT_FOR_THE_BOARD_MS = 600;

const find = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector));
/** @type {import("../shared/board.js").PlayBoard} */ const board = find("play-board");
/** @type {import("./controls.js").PlayControls} */ const controls = find("play-controls");
/** @type {import("./pattern-switch.js").PatternSwitch} */ const patterns = find("pattern-switch");
/** @type {HTMLButtonElement} */ const start = find("form button");
/** The actions that environments of this study have, bit i: action i. */
const all = Number(find("main").dataset.actions);
const scene = new Scene();
let used = 0;

controls.offer(all, all);
board.patterns = patterns.on;
board.pointing = offers(all, ACTION.CLICK);
board.show([scene.frame()], 1);
board.focus();
patterns.addEventListener("change", () => { board.patterns = patterns.on; });
// Before the board hears of it: Enter is a click on the marked cell until then.
window.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || start.disabled || event.repeat || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  start.form?.requestSubmit();
});
listen({ board, controls, listening: () => true, available: () => all }, ({ action, x, y }) => {
  if (!offers(all, action)) return;
  scene.act(action, x, y);
  board.show([scene.frame()], 1);
  use(action);
});

function use(/** @type {number} */ action) {
  const before = used;
  used |= 1 << action;
  controls.light(action);
  for (const lesson of document.querySelectorAll("[data-lesson]")) tick(/** @type {HTMLElement} */ (lesson));
  if (before !== all && used === all) setTimeout(() => { start.disabled = false; }, MEANT_FOR_THE_BOARD_MS);
}

/** Tick a line of the list once all its controls have been used. */
function tick(/** @type {HTMLElement} */ lesson) {
  const needed = Number(lesson.dataset.lesson);
  lesson.classList.toggle("used", (used & needed) === needed);
}
