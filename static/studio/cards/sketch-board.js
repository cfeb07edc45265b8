/**
 * `<sketch-board>`: draws on one sketch with the mouse, a finger or the keyboard. `open(drawing)` chooses the sketch; it
 * dispatches "sketch" after every change. The markup is in templates/studio/sketch-board.html.
 */

import { SIDE } from "../../shared/codec.js";
import { drawCells } from "../../shared/drawing.js";
import { PALETTE } from "../../shared/palette.js";
import { required } from "../../shared/required.js";
import { Drawing, SketchError, cellsBetween, cellsOf, cellsUnder, regionOf, textOf } from "./sketch.js";

const NAMES = [
  "white", "light grey", "grey", "dark grey", "darker grey", "black", "magenta", "pink",
  "red", "blue", "light blue", "yellow", "orange", "maroon", "green", "purple",
];
const FAR = 8;
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class SketchBoard extends HTMLElement {
  drawing = new Drawing(new Uint8Array(SIDE * SIDE));
  cursor = 0;
  /** The cell that the pointer was on last while it draws. @type {number | null} */
  last = null;
  brushDown = false;
  #isReady = false;

  /** The board moves from sketch to sketch, and is connected anew each time. */
  connectedCallback() {
    if (this.#isReady) return;
    this.#isReady = true;
    this.canvas = required(this, "canvas", HTMLCanvasElement);
    this.surface = required(this, ".surface", HTMLElement);
    this.mark = required(this, ".cursor", HTMLElement);
    this.#fillPalette();
    this.#listenToPointer(this.canvas);
    this.surface.addEventListener("keydown", (event) => this.#key(event));
    this.surface.addEventListener("keyup", (event) => {
      if (event.key === " ") this.brushDown = false;
    });
    this.surface.addEventListener("blur", () => (this.brushDown = false));
    /** @type {Record<string, () => void>} */
    const tools = { undo: () => this.#undo(), redo: () => this.#redo(), clear: () => this.#clear(), paste: () => this.#paste(), copy: () => this.#copy() };
    for (const [name, tool] of Object.entries(tools)) required(this, `[name=${name}]`, HTMLButtonElement).addEventListener("click", tool);
  }

  /** Shows a sketch, to be drawn on. */
  open(/** @type {Drawing} */ drawing) {
    this.drawing = drawing;
    required(this, "textarea", HTMLTextAreaElement).value = "";
    this.#say("");
    this.#show();
  }

  get colour() {
    return Number(required(this, "[name=colour]:checked", HTMLInputElement).value);
  }

  get tool() {
    return required(this, "[name=tool]:checked", HTMLInputElement).value;
  }

  get size() {
    return Number(required(this, "[name=size]", HTMLSelectElement).value);
  }

  #fillPalette() {
    const palette = required(this, ".palette", HTMLElement);
    palette.append(...PALETTE.map((colour, index) => swatch(index, colour)));
    this.#choose(5);
  }

  #choose(/** @type {number} */ colour) {
    required(this, `[name=colour][value="${colour}"]`, HTMLInputElement).checked = true;
  }

  #listenToPointer(/** @type {HTMLCanvasElement} */ canvas) {
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.cursor = this.#cellAt(event);
      if (this.#use(this.cursor)) this.last = this.cursor;
      this.#show();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.last === null) return;
      for (const each of event.getCoalescedEvents?.() ?? [event]) this.#drag(this.#cellAt(each));
      this.#changed();
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.last = null));
  }

  #drag(/** @type {number} */ to) {
    if (this.last === null) return;
    for (const cell of cellsBetween(this.last, to)) this.#dab(cell);
    this.last = this.cursor = to;
  }

  #dab(/** @type {number} */ cell) {
    this.drawing.paint(cellsUnder(cell, this.size), this.colour);
  }

  /** Uses the chosen tool. @param {number} cell @returns {boolean} whether it goes on while the pointer moves */
  #use(cell, tool = this.tool) {
    if (tool === "pick") {
      this.#choose(this.drawing.cells[cell]);
      return false;
    }
    this.drawing.begin();
    if (tool === "fill") this.drawing.paint(regionOf(this.drawing.cells, cell), this.colour);
    else this.#dab(cell);
    this.#changed();
    return tool === "draw";
  }

  #cellAt(/** @type {PointerEvent} */ { clientX, clientY }) {
    const box = required(this, "canvas", HTMLCanvasElement).getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const [column, row] = [x, y].map((share) => Math.max(0, Math.min(SIDE - 1, Math.floor(share * SIDE))));
    return row * SIDE + column;
  }

  #key(/** @type {KeyboardEvent} */ event) {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) this.#undo();
      else if (key === "y" || key === "z") this.#redo();
      else return;
    } else if (event.key in STEPS) this.#step(event);
    else if (event.key === " ") {
      if (!event.repeat) this.brushDown = this.#use(this.cursor, "draw");
    } else if (event.key === "Enter") this.#use(this.cursor, "fill");
    else if (event.key.toLowerCase() === "p") this.#use(this.cursor, "pick");
    else if (/^[0-9a-f]$/i.test(event.key)) this.#choose(Number.parseInt(event.key, 16));
    else return;
    event.preventDefault();
    this.#show();
    const [x, y] = [this.cursor % SIDE, Math.floor(this.cursor / SIDE)];
    this.#say(`Column ${x + 1}, row ${y + 1}: ${NAMES[this.drawing.cells[this.cursor]]}. Colour: ${NAMES[this.colour]}.`);
  }

  #step(/** @type {KeyboardEvent} */ event) {
    const by = this.size * (event.shiftKey ? FAR : 1);
    const [x, y] = [this.cursor % SIDE, Math.floor(this.cursor / SIDE)];
    const [column, row] = [x + STEPS[event.key][0] * by, y + STEPS[event.key][1] * by].map((place) => Math.max(0, Math.min(SIDE - 1, place)));
    const from = this.cursor;
    this.cursor = row * SIDE + column;
    if (!this.brushDown) return;
    for (const cell of cellsBetween(from, this.cursor)) this.#dab(cell);
    this.#changed();
  }

  #undo() {
    if (this.drawing.undo()) this.#changed();
  }

  #redo() {
    if (this.drawing.redo()) this.#changed();
  }

  #clear() {
    this.drawing.replace(new Uint8Array(SIDE * SIDE).fill(this.colour));
    this.#changed();
  }

  #paste() {
    const field = required(this, "textarea", HTMLTextAreaElement);
    try {
      this.drawing.replace(cellsOf(field.value));
      this.#changed();
      this.#say("The text is drawn.");
    } catch (error) {
      if (!(error instanceof SketchError)) throw error;
      this.#say(error.message, error.code);
    }
  }

  #copy() {
    const field = required(this, "textarea", HTMLTextAreaElement);
    field.value = textOf(this.drawing.cells);
    field.select();
  }

  #changed() {
    this.#show();
    this.dispatchEvent(new CustomEvent("sketch"));
  }

  #show() {
    drawCells(required(this, "canvas", HTMLCanvasElement), this.drawing.cells);
    const [x, y] = [this.cursor % SIDE, Math.floor(this.cursor / SIDE)];
    const size = this.size;
    Object.assign(required(this, ".cursor", HTMLElement).style, {
      left: `${((x - (x % size)) / SIDE) * 100}%`,
      top: `${((y - (y % size)) / SIDE) * 100}%`,
      width: `${(size / SIDE) * 100}%`,
      height: `${(size / SIDE) * 100}%`,
    });
  }

  /** Says what happened below the board; with a code, that something is wrong. */
  #say(/** @type {string} */ message, code = "") {
    const status = required(this, "[role=status]", HTMLElement);
    status.classList.toggle("bad", code !== "");
    status.replaceChildren(message, ...(code ? [" ", Object.assign(document.createElement("code"), { textContent: code })] : []));
  }
}

/** A colour to choose. @param {number} index @param {number} colour */
function swatch(index, colour) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "colour", value: String(index) });
  input.setAttribute("aria-label", `${index.toString(16)}, ${NAMES[index]}`);
  label.title = `${index.toString(16)}: ${NAMES[index]}`;
  label.style.backgroundColor = `#${colour.toString(16).padStart(6, "0")}`;
  label.append(input);
  return label;
}

customElements.define("sketch-board", SketchBoard);
