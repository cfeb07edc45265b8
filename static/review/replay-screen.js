/** `<replay-screen>`: the board of one attempt, the action that led to the frame, a heat map, and the ghost of another attempt. */

import { PlayBoard } from "../shared/board.js";
import { SIDE } from "../shared/codec.js";
import { PALETTE } from "../shared/palette.js";
import { actionLabel, keyCapOf, pressFacts } from "./descriptions.js";
import { Frames } from "./frames.js";
import { drawHeat, firstFrame, heatLabel, heatOf, heatScale } from "./heat.js";
import { Timeline } from "./timeline.js";
import { drawCrosses } from "./wrong-cells.js";

/** @import { HeatKind } from "./heat.js" */
/** @import { WrongCells } from "./wrong-cells.js" */
/** @import { Entry, JournalDocument } from "./types" */

const RIPPLE_MS = 500;
const GHOST_OPACITY = 150;
/** Pixels of crosses for each of a frame. */
const WRONG_SCALE = 10;

export class ReplayScreen extends HTMLElement {
  #board = new PlayBoard();
  #name = Object.assign(document.createElement("p"), { className: "attempt-name", hidden: true });
  #action = Object.assign(document.createElement("p"), { className: "last-action" });
  #scale = Object.assign(document.createElement("p"), { className: "heat-scale", hidden: true });
  #overlay = Object.assign(document.createElement("div"), { className: "over" });
  #heatCanvas = overlayCanvas("heat");
  #ghostCanvas = overlayCanvas("ghost");
  #wrongCanvas = Object.assign(document.createElement("canvas"), { className: "wrong", width: SIDE * WRONG_SCALE, height: SIDE * WRONG_SCALE, hidden: true });
  #ripple = Object.assign(document.createElement("i"), { className: "ripple", hidden: true });
  /** @type {HeatKind | ""} */
  #heat = "";
  /** @type {Uint8Array | null} */
  #ghost = null;
  /** The index of the position shown; -1 before the first. */
  #position = -1;

  /** @param {JournalDocument} journal  with at least one entry @throws {RangeError} if its bytes are not frames */
  constructor(journal) {
    super();
    this.journal = journal;
    this.frames = new Frames(journal.entries);
    this.timeline = new Timeline(journal.entries, journal.frames_per_second);
  }

  connectedCallback() {
    for (const [name, value] of [["role", "img"], ["aria-label", "The board"]]) this.#board.setAttribute(name, value);
    for (const part of [this.#overlay, this.#action]) part.setAttribute("aria-hidden", "true");
    this.#overlay.replaceChildren(this.#heatCanvas, this.#ghostCanvas, this.#wrongCanvas, this.#ripple);
    this.#board.cover(this.#overlay);
    this.replaceChildren(this.#name, this.#board, this.#action, this.#scale);
    this.#board.pointing = true;
  }

  /** Whose attempt this is, if two are shown. */
  set name(/** @type {string} */ text) {
    this.#name.textContent = text;
    this.#name.hidden = text === "";
  }

  /** The heat map instead of the frames; none if it is empty. */
  set heat(/** @type {HeatKind | ""} */ kind) {
    this.#heat = kind;
    this.#draw();
    this.#drawGhost();
  }

  /** What the heat map shows on this level. */
  get heatLabel() {
    return this.#heat === "" ? "" : heatLabel(this.#heat, this.timeline, this.timeline.levelAt(this.#position));
  }

  /** The frame of another attempt, drawn over this one; null for none. */
  set ghost(/** @type {Uint8Array | null} */ frame) {
    this.#ghost = frame;
    this.#drawGhost();
  }

  /** Crosses over the wrong cells of a task's output; null for none. */
  set wrong(/** @type {WrongCells | null} */ wrong) {
    this.#wrongCanvas.hidden = wrong === null;
    if (wrong) drawCrosses(this.#wrongCanvas, wrong);
  }

  show(/** @type {number} */ position) {
    if (position === this.#position) return;
    const before = this.timeline.positions[this.#position]?.entry;
    const { entry } = this.timeline.positions[position];
    this.#position = position;
    this.#draw();
    this.#drawGhost();
    if (entry !== before) this.#showAction(this.timeline.entries[entry]);
  }

  #draw() {
    const shown = this.timeline.positions[this.#position];
    if (!shown) return;
    this.#heatCanvas.hidden = this.#heat === "";
    const level = this.timeline.levelAt(this.#position);
    const frame = this.#heat === "" ? this.frames.at(shown) : firstFrame(this.timeline, this.frames, level);
    this.#board.show([frame], this.journal.frames_per_second);
    const heat = this.#heat === "" ? null : heatOf(this.#heat, this.timeline, this.frames, level);
    if (heat) drawHeat(this.#heatCanvas, heat);
    const most = heat ? heatScale(heat) : "";
    this.#scale.hidden = most === "";
    this.#scale.replaceChildren("0", document.createElement("i"), most);
  }

  #drawGhost() {
    this.#ghostCanvas.hidden = this.#ghost === null || this.#heat !== "";
    if (this.#ghost === null || this.#heat !== "") return;
    drawGhost(this.#ghostCanvas, this.#ghost, this.frames.at(this.timeline.positions[this.#position]));
  }

  /** Shows the key or the cell that was pressed, and how. */
  #showAction(/** @type {Entry} */ entry) {
    const { x, y } = entry;
    this.#board.mark(x === null || y === null ? null : { x, y });
    const cap = document.createElement("kbd");
    cap.textContent = entry.seq > 0 && !entry.edit ? keyCapOf(entry.action) : "";
    const label = cap.textContent ? actionLabel(entry).replace(`${cap.textContent} `, "") : actionLabel(entry);
    const line = [label, ...pressFacts(entry)].join(" · ");
    this.#action.replaceChildren(...(cap.textContent ? [cap, " "] : []), line);
    this.#ripple.hidden = x === null;
    if (x !== null && y !== null) this.#placeRipple(x, y);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (x === null) cap.animate([{ translate: "0 4px" }, { translate: "0 0" }], { duration: RIPPLE_MS / 2 });
    else this.#ripple.animate([{ scale: 1, opacity: 1 }, { scale: 7, opacity: 0 }], { duration: RIPPLE_MS, fill: "forwards" });
  }

  #placeRipple(/** @type {number} */ x, /** @type {number} */ y) {
    this.#ripple.style.left = `${(100 * (x + 0.5)) / SIDE}%`;
    this.#ripple.style.top = `${(100 * (y + 0.5)) / SIDE}%`;
  }
}

function overlayCanvas(/** @type {string} */ className) {
  return Object.assign(document.createElement("canvas"), { className, width: SIDE, height: SIDE, hidden: true });
}

/** Draws the cells of another attempt's frame that differ from the frame shown, on a canvas of 64 by 64. @param {HTMLCanvasElement} canvas @param {Uint8Array} ghost @param {Uint8Array} frame */
function drawGhost(canvas, ghost, frame) {
  const pixels = new ImageData(SIDE, SIDE);
  ghost.forEach((colour, cell) => {
    if (colour === frame[cell]) return;
    const [red, green, blue] = [16, 8, 0].map((shift) => (PALETTE[colour] >> shift) & 255);
    pixels.data.set([red, green, blue, GHOST_OPACITY], cell * 4);
  });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}

customElements.define("replay-screen", ReplayScreen);
