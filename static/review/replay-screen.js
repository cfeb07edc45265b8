/** `<replay-screen>`: one attempt's board, what was pressed to get there, its heat, and another's ghost. */

import "../shared/board.js";
import { SIDE } from "../shared/codec.js";
import { Frames } from "./frames.js";
import { drawGhost } from "./ghost.js";
import { drawHeat, firstFrame, heatOf, heatWords } from "./heat.js";
import { Timeline } from "./timeline.js";
import { actionWords, capOf, inputWords } from "./descriptions.js";

const RIPPLE_MS = 500;
const LAYOUT = `
  <p class="whose" hidden></p>
  <play-board role="img" aria-label="The board"></play-board>
  <div class="over" aria-hidden="true"><canvas class="heat" width="${SIDE}" height="${SIDE}" hidden></canvas><canvas class="ghost" width="${SIDE}" height="${SIDE}" hidden></canvas><i class="ripple" hidden></i></div>
  <p class="made" aria-hidden="true"></p>`;

export class ReplayScreen extends HTMLElement {
  #observer = new ResizeObserver(() => this.#fit());
  /** @type {keyof import("./heat.js").HEATS | ""} */
  #heat = "";
  /** @type {Uint8Array | null} */
  #ghost = null;
  #position = -1;

  /** @param {any} journal  with at least one entry @throws {RangeError} when its bytes are no frames */
  open(journal) {
    this.journal = journal;
    this.frames = new Frames(journal.entries);
    this.timeline = new Timeline(journal.entries, journal.frames_per_second);
    this.innerHTML = LAYOUT;
    this.board = this.querySelector("play-board");
    this.made = this.querySelector(".made");
    this.ripple = this.querySelector(".ripple");
    this.canvas = this.querySelector(".heat");
    this.board.pointing = true;
    this.#observer.observe(this.board);
    this.#observer.observe(this.board.querySelector("canvas"));
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  /** Say whose attempt this is, where two are seen. */
  set whose(/** @type {string} */ words) {
    const line = this.querySelector(".whose");
    line.textContent = words;
    line.hidden = words === "";
  }

  /** @param {keyof import("./heat.js").HEATS | ""} heat  none: the board as it was played */
  set heat(heat) {
    this.#heat = heat;
    this.#draw();
    this.#drawGhost();
  }

  /** What the heat shows on the level that is seen. */
  get heatWords() {
    return this.#heat === "" ? "" : heatWords(this.#heat, this.timeline, this.timeline.levelAt(this.#position));
  }

  /** Another attempt's frame to shine through this one's; null: none. */
  set ghost(/** @type {Uint8Array | null} */ ghost) {
    this.#ghost = ghost;
    this.#drawGhost();
  }

  show(/** @type {number} */ position) {
    if (position === this.#position) return;
    const { entry: before } = this.timeline.positions[this.#position] ?? { entry: -1 };
    this.#position = position;
    const { entry } = this.timeline.positions[position];
    this.#draw();
    this.#drawGhost();
    if (entry !== before) this.#showPress(this.timeline.entries[entry]);
  }

  #draw() {
    const shown = this.timeline.positions[this.#position];
    if (!shown) return;
    this.canvas.hidden = this.#heat === "";
    if (this.#heat === "") return this.board.show([this.frames.at(shown)], this.journal.frames_per_second);
    const level = this.timeline.levelAt(this.#position);
    this.board.show([firstFrame(this.timeline, this.frames, level)], this.journal.frames_per_second);
    drawHeat(this.canvas, heatOf(this.#heat, this.timeline, this.frames, level));
  }

  #drawGhost() {
    const canvas = this.querySelector(".ghost");
    canvas.hidden = this.#ghost === null || this.#heat !== "";
    if (!canvas.hidden) drawGhost(canvas, this.#ghost, this.frames.at(this.timeline.positions[this.#position]));
  }

  #showPress(entry) {
    const clicked = entry.x !== null;
    this.board.mark(clicked ? { x: entry.x, y: entry.y } : null);
    const cap = document.createElement("kbd");
    cap.textContent = entry.seq > 0 ? capOf(entry.action) : "";
    const words = cap.textContent ? actionWords(entry).replace(`${cap.textContent} `, "") : actionWords(entry);
    const line = [words, inputWords(entry.input)].filter(Boolean).join(" · ");
    this.made.replaceChildren(...(cap.textContent ? [cap, " "] : []), line);
    this.ripple.hidden = !clicked;
    if (clicked) this.#place(entry);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (clicked) this.ripple.animate([{ scale: 1, opacity: 1 }, { scale: 7, opacity: 0 }], { duration: RIPPLE_MS, fill: "forwards" });
    else cap.animate([{ translate: "0 4px" }, { translate: "0 0" }], { duration: RIPPLE_MS / 2 });
  }

  #place({ x, y }) {
    this.ripple.style.left = `${(100 * (x + 0.5)) / SIDE}%`;
    this.ripple.style.top = `${(100 * (y + 0.5)) / SIDE}%`;
  }

  /** What lies over the board covers its canvas exactly. */
  #fit() {
    const canvas = this.board.querySelector("canvas");
    const { style } = this.querySelector(".over");
    const [own, box] = [this.getBoundingClientRect(), canvas.getBoundingClientRect()];
    style.left = `${box.left - own.left}px`;
    style.top = `${box.top - own.top}px`;
    style.width = style.height = `${box.width}px`;
  }
}

customElements.define("replay-screen", ReplayScreen);
