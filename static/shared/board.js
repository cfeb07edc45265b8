/** `<play-board>`: the 64x64 board, scaled by whole device pixels; plays animations and reports presses on cells. */

import { CELLS, SIDE } from "./codec.js";
import { PALETTE, pixel } from "./palette.js";
import { PatternLayer } from "./colour-patterns.js";
import { Fingers, LONG_PRESS_MS, drawLoupe, loupeAt, needsLoupe } from "./touch.js";
import { Flashes } from "./flashes.js";

/** How long another picture takes to come, for who asks for less motion or softer flashes: at first, and while the whole screen flashes. */
const FADE_MS = 150;
const SOFTENED_MS = 1500;
const LESS_MOTION = matchMedia("(prefers-reduced-motion: reduce)");
const PIXELS = Uint32Array.from(PALETTE, pixel);
const RING_MS = 450;

/** @typedef {{x: number, y: number}} Cell */

/**
 * The largest whole number of device pixels a cell can have; at least 1.
 * @param {number} width  CSS pixels
 * @param {number} height
 * @param {number} pixelRatio  device pixels in a CSS pixel
 */
export function wholeScale(width, height, pixelRatio) {
  return Math.max(1, Math.floor((Math.min(width, height) * pixelRatio) / SIDE + 1e-6));
}

/**
 * @param {number} clientX
 * @param {number} clientY
 * @param {{left: number, top: number, width: number, height: number}} box  the canvas on the page
 * @returns {Cell | null} null outside the board
 */
export function cellAt(clientX, clientY, box) {
  const x = Math.floor(((clientX - box.left) / box.width) * SIDE);
  const y = Math.floor(((clientY - box.top) / box.height) * SIDE);
  return x >= 0 && x < SIDE && y >= 0 && y < SIDE ? { x, y } : null;
}

/**
 * Events: `rest` when the last frame of an animation is on the canvas; `cell` with detail `{x, y, pointerType, timeStamp, began}`
 * when a cell is pressed: by a mouse that goes down, by a finger that is lifted where it came down at `began`.
 */
export class PlayBoard extends HTMLElement {
  /** The last frame of the turn, to which the changes of the next turn refer. @type {Uint8Array | null} */
  latest = null;
  /** Its size is set only here: that clears it, and an element that is moved on its page has to keep what it shows. */
  #canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  #marker = Object.assign(document.createElement("span"), { className: "cell-marker", hidden: true });
  /** As large as the canvas. What stands over the board lies in it by shares of its size: no other text, font or zoom moves it. */
  #cells = Object.assign(document.createElement("div"), { className: "cells" });
  #pixels = new ImageData(SIDE, SIDE);
  /** What was seen before, over the canvas while it fades. */
  #before = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  /** @type {Animation | null} */
  #fading = null;
  #flashes = new Flashes();
  /** Whether flashes of the whole screen are softened, as they are for who asks for less motion. */
  softer = false;
  /** The frame on the canvas. @type {Uint8Array | null} */
  #shown = null;
  /** Drawn over the canvas while the person wants patterns. @type {PatternLayer | null} */
  #patterns = null;
  /** @type {Uint8Array[]} frames still to be drawn */
  #ahead = [];
  #interval = 0;
  #due = 0;
  #ticking = false;
  #pointing = false;
  /** @type {Cell | null} */
  #marked = null;
  #lastMarked = { x: SIDE / 2, y: SIDE / 2 };
  /** @type {Fingers<Cell>} */
  #fingers = new Fingers();
  /** While a finger hides small cells. @type {HTMLCanvasElement | null} */
  #loupe = null;
  /** @type {number | undefined} */
  #longPress;
  #observer = new ResizeObserver(() => this.#fit());
  #onResize = () => this.#fit();

  constructor() {
    super();
    this.#cells.style.position = "relative";
    Object.assign(this.#marker.style, { position: "absolute", width: share(1), height: share(1) });
    this.#cells.append(whole(this.#canvas), this.#marker);
  }

  connectedCallback() {
    this.replaceChildren(this.#cells);
    this.#observer.observe(this);
    window.addEventListener("resize", this.#onResize);
    this.addEventListener("pointerdown", this.#press);
    this.addEventListener("pointermove", this.#hover);
    this.addEventListener("pointerup", this.#lift);
    this.addEventListener("pointercancel", () => this.#letGo());
    this.addEventListener("pointerleave", () => this.mark(null));
    this.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#fit();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    window.removeEventListener("resize", this.#onResize);
  }

  /** Lays a part over the cells, in their box. */
  cover(/** @type {HTMLElement} */ part) {
    this.#cells.append(whole(part));
  }

  /** Whether frames of an animation are still to come. */
  get animating() {
    return this.#ahead.length > 0;
  }

  /** Whether a cell can be chosen: a cell is marked only then. */
  set pointing(/** @type {boolean} */ pointing) {
    this.#pointing = pointing;
    this.classList.toggle("pointing", pointing);
    this.mark(this.#marked);
  }

  /** Whether a pattern is drawn on each colour. */
  set patterns(/** @type {boolean} */ wanted) {
    if (wanted === (this.#patterns !== null)) return;
    this.#patterns?.canvas.remove();
    this.#patterns = wanted ? new PatternLayer() : null;
    if (this.#patterns) this.#marker.before(whole(this.#patterns.canvas));
    this.#fit();
  }

  /** The cell marked by the pointer or the keyboard; null if none is. */
  get marked() {
    return this.#marked;
  }

  mark(/** @type {Cell | null} */ cell) {
    this.#marked = this.#pointing ? cell : null;
    this.#marker.hidden = this.#marked === null;
    if (this.#marked === null) return;
    this.#lastMarked = this.#marked;
    this.#marker.style.left = share(this.#marked.x);
    this.#marker.style.top = share(this.#marked.y);
  }

  /** Shows at a cell whether a press on it was taken. */
  ring(/** @type {Cell} */ { x, y }, /** @type {boolean} */ taken) {
    const ring = Object.assign(document.createElement("span"), { className: taken ? "cell-ring" : "cell-ring refused" });
    Object.assign(ring.style, { position: "absolute", left: share(x + 0.5), top: share(y + 0.5) });
    this.#cells.querySelector(".cell-ring")?.remove();
    this.#cells.append(ring);
    setTimeout(() => ring.remove(), RING_MS);
  }

  /** Moves the marked cell by the keyboard; the first move shows it where it was last. */
  moveMark(/** @type {number} */ right, /** @type {number} */ down) {
    const from = this.#lastMarked;
    this.mark(this.#marked ? { x: within(from.x + right), y: within(from.y + down) } : from);
  }

  /**
   * Draws the first frame at once and the others at their pace, each of them painted; for who asks for less motion the last alone.
   * @param {Uint8Array[]} frames
   * @param {number} framesPerSecond
   */
  show(frames, framesPerSecond) {
    this.latest = frames[frames.length - 1];
    const shown = LESS_MOTION.matches ? frames.slice(-1) : frames;
    this.#ahead = shown.slice(1);
    this.#interval = 1000 / framesPerSecond;
    this.#due = performance.now() + this.#interval;
    this.#change(shown[0], shown.length < frames.length);
    this.#continue();
  }

  #change(/** @type {Uint8Array} */ next, /** @type {boolean} */ leftOut) {
    if (this.softer || LESS_MOTION.matches) this.#fade(next, leftOut);
    this.#draw(next);
  }

  /** Lets what is seen now fade from over the canvas if frames are left out or most of the screen changes. */
  #fade(/** @type {Uint8Array} */ next, /** @type {boolean} */ leftOut) {
    const changes = this.#shown !== null && this.#flashes.changes(this.#shown, next);
    const flashing = this.#flashes.many(performance.now());
    if (this.#shown === null || !(leftOut || changes || (flashing && this.#fading))) return;
    const seen = this.#before.getContext("2d");
    if (!seen) return;
    if (this.#marker.previousSibling !== this.#before) this.#marker.before(whole(this.#before)); // over patterns, too
    this.#before.style.opacity = "0";
    seen.globalAlpha = 1 - Number(getComputedStyle(this.#before).opacity);
    seen.drawImage(this.#canvas, 0, 0);
    this.#fading?.cancel();
    this.#fading = this.#before.animate({ opacity: [1, 0] }, flashing ? SOFTENED_MS : FADE_MS);
    this.#fading.onfinish = () => { this.#fading = null; };
  }

  /** Jumps to the last frame. */
  finish() {
    if (this.animating) this.#drawNext(this.#ahead.length);
  }

  #continue() {
    if (this.#ticking || !this.animating) return;
    this.#ticking = true;
    requestAnimationFrame((now) => {
      this.#ticking = false;
      this.#tick(now);
      this.#continue();
    });
  }

  #tick(/** @type {number} */ now) {
    if (!this.animating || now < this.#due) return;
    this.#due = Math.max(this.#due + this.#interval, now);
    this.#drawNext(1);
  }

  #drawNext(/** @type {number} */ count) {
    this.#change(this.#ahead.splice(0, count)[count - 1], count > 1);
    if (!this.animating) this.dispatchEvent(new Event("rest"));
  }

  #draw(/** @type {Uint8Array} */ frame) {
    const pixels = new Uint32Array(this.#pixels.data.buffer);
    for (let cell = 0; cell < CELLS; cell += 1) pixels[cell] = PIXELS[frame[cell]];
    this.#canvas.getContext("2d", { alpha: false })?.putImageData(this.#pixels, 0, 0);
    this.#shown = frame;
    this.#patterns?.draw(frame);
  }

  #fit() {
    const ratio = window.devicePixelRatio;
    const scale = wholeScale(this.clientWidth, this.clientHeight, ratio);
    this.#cells.style.width = this.#cells.style.height = `${(scale * SIDE) / ratio}px`;
    this.#patterns?.resize(scale);
    if (this.#shown) this.#patterns?.draw(this.#shown);
  }

  /** @returns {Cell | null} */
  #under(/** @type {PointerEvent} */ { clientX, clientY }) {
    return cellAt(clientX, clientY, this.#canvas.getBoundingClientRect());
  }

  #hover = (/** @type {PointerEvent} */ event) => {
    this.mark(this.#under(event));
    this.#magnify(event);
  };

  #press = (/** @type {PointerEvent} */ event) => {
    if (!event.isPrimary) return this.#letGo();
    if (event.button !== 0) return undefined;
    const cell = this.#under(event);
    this.mark(cell);
    if (cell === null) return undefined;
    if (event.pointerType === "mouse") return this.#report(cell, event, event.timeStamp);
    this.#fingers.down(event, cell);
    this.#longPress = setTimeout(() => {
      this.#letGo();
      this.#decline(cell);
    }, LONG_PRESS_MS);
    if (this.#pointing && needsLoupe(this.#canvas.getBoundingClientRect().width / SIDE)) {
      this.#loupe = Object.assign(document.createElement("canvas"), { className: "loupe" });
      this.append(this.#loupe);
    }
    return this.#magnify(event);
  };

  #lift = (/** @type {PointerEvent} */ event) => {
    const at = this.#under(event);
    const finger = this.#fingers.lift(event, ({ x, y }) => at?.x === x && at.y === y);
    if (!finger) return;
    this.#letGo();
    if (finger.acts) this.#report(finger.place, event, finger.began);
    else this.#decline(finger.place);
  };

  /** What the fingers do is no press any more. */
  #letGo() {
    this.#fingers.cancel(undefined);
    clearTimeout(this.#longPress);
    this.#loupe?.remove();
    this.#loupe = null;
  }

  #decline(/** @type {Cell} */ cell) {
    if (this.#pointing) this.ring(cell, false);
  }

  #magnify(/** @type {PointerEvent} */ { clientX, clientY }) {
    if (!this.#loupe || !this.#marked) return;
    const { left, top } = loupeAt(clientX, clientY, window.innerWidth);
    Object.assign(this.#loupe.style, { left: `${left}px`, top: `${top}px` });
    drawLoupe(this.#loupe, this.#patterns ? [this.#canvas, this.#patterns.canvas] : [this.#canvas], SIDE, this.#marked);
  }

  /** @param {Cell} cell @param {PointerEvent} event @param {number} began */
  #report(cell, { pointerType, timeStamp }, began) {
    this.dispatchEvent(new CustomEvent("cell", { detail: { ...cell, pointerType, timeStamp, began } }));
  }
}

/** Lets an element fill the box that it lies in. @template {HTMLElement} Part @param {Part} part */
function whole(part) {
  Object.assign(part.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
  return part;
}

/** @param {number} cells @returns {string} of the side of the board */
function share(cells) {
  return `${(100 * cells) / SIDE}%`;
}

/** @param {number} position */
function within(position) {
  return Math.min(SIDE - 1, Math.max(0, position));
}

customElements.define("play-board", PlayBoard);
