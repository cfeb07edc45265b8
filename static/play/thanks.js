/** Returns to the first page for the next participant after a minute without input. */

import "./debrief.js";
import "./page.js";

const READING_MS = 60_000;

/** @type {number | undefined} */
let timer;

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => window.location.replace("/"), READING_MS);
}

for (const type of ["pointermove", "pointerdown", "keydown"]) window.addEventListener(type, wait);
wait();
