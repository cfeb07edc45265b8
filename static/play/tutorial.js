/** The tutorial: each control lights when it is first used, and "Start" wakes when all have been. */

import "./page.js";
import { PlayBoard } from "./board.js";
import { ACTION } from "./codec.js";
import { PlayControls } from "./controls.js";
import { listen } from "./presses.js";
import { Scene } from "./scene.js";

const ALL = (1 << (ACTION.UNDO + 1)) - 1;

const find = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector));
/** @type {PlayBoard} */ const board = find("play-board");
/** @type {PlayControls} */ const controls = find("play-controls");
/** @type {HTMLButtonElement} */ const start = find("form button");
const scene = new Scene();
let used = 0;

controls.offer(ALL, ALL);
board.pointing = true;
board.show([scene.frame()], 1);
board.focus();
listen({ board, controls, listening: () => true, available: () => ALL }, ({ action, x, y }) => {
  scene.act(action, x, y);
  board.show([scene.frame()], 1);
  used |= 1 << action;
  controls.light(action);
  for (const item of document.querySelectorAll("[data-actions]")) tick(/** @type {HTMLElement} */ (item));
  start.disabled = used !== ALL;
});

/** Tick a line of the list once all its controls have been used. */
function tick(/** @type {HTMLElement} */ item) {
  const needed = Number(item.dataset.actions);
  item.classList.toggle("used", (used & needed) === needed);
}
