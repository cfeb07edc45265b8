/** The fields of a card: shows a content in the form and reads it from there. Rows can be added, removed and put back. */

import { CELLS } from "../../shared/codec.js";
import { drawCells } from "../../shared/drawing.js";
import { required } from "../../shared/required.js";
import { Drawing, digitsOf, fromDigits } from "./sketch.js";

/** @import { SketchBoard } from "./sketch-board.js" */
/** @typedef {Record<string, string | number>} Row */
/** @typedef {{concept: string, priors: string[], controls: string[], mechanics: Row[], known_games: Row[], sketches: Row[]}} Content  as rules.cards.CardContent */

const LISTS = /** @type {const} */ (["mechanics", "known_games", "sketches"]);
const CHOICES = /** @type {const} */ (["priors", "controls"]);
const GROUND = 5;

export class CardForm {
  /** @type {WeakMap<Element, Drawing>} */
  #drawings = new WeakMap();
  /** The row whose sketch is on the board. @type {HTMLElement | null} */
  #open = null;

  /** @param {HTMLFormElement} form @param {SketchBoard} board @param {() => void} changed */
  constructor(form, board, changed) {
    this.form = form;
    this.board = board;
    this.changed = changed;
    form.addEventListener("input", (event) => {
      if (event.target instanceof Element && !event.target.closest("sketch-board")) changed();
    });
    board.addEventListener("sketch", () => this.#sketched());
    for (const list of LISTS) {
      required(form, `[data-add=${list}]`, HTMLButtonElement).addEventListener("click", () => this.#added(list));
    }
  }

  show(/** @type {Content} */ content) {
    required(this.form, "[name=concept]", HTMLTextAreaElement).value = content.concept;
    for (const choice of CHOICES) {
      for (const box of this.form.querySelectorAll(`input[name=${choice}]`)) {
        if (box instanceof HTMLInputElement) box.checked = content[choice].includes(box.value);
      }
    }
    this.#close();
    for (const list of LISTS) {
      this.#list(list).replaceChildren();
      for (const row of content[list]) this.#add(list, row);
    }
  }

  /** @returns {Content} */
  read() {
    const chosen = (/** @type {string} */ name) => new FormData(this.form).getAll(name).map(String);
    const rows = (/** @type {string} */ list) => this.#rows(list).map((row) => this.#readRow(row));
    return {
      concept: required(this.form, "[name=concept]", HTMLTextAreaElement).value,
      priors: chosen("priors"),
      controls: chosen("controls"),
      mechanics: rows("mechanics"),
      known_games: rows("known_games"),
      sketches: rows("sketches"),
    };
  }

  #list(/** @type {string} */ list) {
    return required(this.form, `[data-list=${list}]`, HTMLElement);
  }

  /** The rows that are not removed. */
  #rows(/** @type {string} */ list) {
    return [...this.#list(list).children].filter((row) => row instanceof HTMLElement && !row.classList.contains("removed"));
  }

  /** @param {string} list @param {Row} values @returns {HTMLElement} */
  #add(list, values) {
    const template = required(document, `#row-${list}`, HTMLTemplateElement);
    const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true)).firstElementChild;
    if (!(row instanceof HTMLElement)) throw new TypeError(`the template of ${list} is empty`);
    this.#list(list).append(row);
    for (const field of fieldsOf(row)) field.value = String(values[field.name.split(":")[1]] ?? "");
    if (list === "sketches") this.#prepareSketch(row, String(values.cells));
    required(row, "[data-remove]", HTMLButtonElement).addEventListener("click", () => this.#remove(row));
    required(row, "[data-restore]", HTMLButtonElement).addEventListener("click", () => this.#restore(row));
    return row;
  }

  #added(/** @type {string} */ list) {
    const level = Math.max(0, ...this.#rows(list).map((row) => Number(this.#readRow(row).level ?? 0))) + 1;
    const row = this.#add(list, { level, cells: GROUND.toString(16).repeat(CELLS) });
    if (list === "sketches") this.#draw(row);
    row.querySelector("input")?.focus();
    this.changed();
  }

  #prepareSketch(/** @type {HTMLElement} */ row, /** @type {string} */ digits) {
    this.#drawings.set(row, new Drawing(fromDigits(digits)));
    this.#preview(row);
    required(row, "[data-draw]", HTMLButtonElement).addEventListener("click", () => this.#draw(row));
    required(row, "[data-duplicate]", HTMLButtonElement).addEventListener("click", () => {
      const values = this.#readRow(row);
      const copy = this.#add("sketches", { ...values, level: Number(values.level) + 1 });
      row.after(copy);
      this.#draw(copy);
      this.changed();
    });
  }

  /** Opens the board below this row. */
  #draw(/** @type {HTMLElement} */ row) {
    const drawing = this.#drawings.get(row);
    if (!drawing) return;
    this.#open = row;
    required(row, ".board-place", HTMLElement).append(this.board);
    this.board.hidden = false;
    this.board.open(drawing);
    required(this.board, ".surface", HTMLElement).focus();
  }

  #close() {
    this.#open = null;
    this.board.hidden = true;
    this.form.append(this.board);
  }

  #sketched() {
    if (this.#open) this.#preview(this.#open);
    this.changed();
  }

  #preview(/** @type {HTMLElement} */ row) {
    const drawing = this.#drawings.get(row);
    if (drawing) drawCells(required(row, "canvas.preview", HTMLCanvasElement), drawing.cells);
  }

  #remove(/** @type {HTMLElement} */ row) {
    if (this.#open === row) this.#close();
    row.classList.add("removed");
    required(row, "[data-restore]", HTMLButtonElement).focus();
    this.changed();
  }

  #restore(/** @type {HTMLElement} */ row) {
    row.classList.remove("removed");
    row.querySelector("input")?.focus();
    this.changed();
  }

  /** @param {Element} row @returns {Row} */
  #readRow(row) {
    /** @type {Row} */
    const values = {};
    for (const field of fieldsOf(row)) {
      const name = field.name.split(":")[1];
      values[name] = name === "level" ? Number(field.value) : field.value;
    }
    const drawing = this.#drawings.get(row);
    if (drawing) values.cells = digitsOf(drawing.cells);
    return values;
  }
}

/** The fields of a row: each is named "list:part". @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
function fieldsOf(/** @type {Element} */ row) {
  return [...row.querySelectorAll("input, textarea")].flatMap((field) => {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    return isField && field.name.includes(":") ? [field] : [];
  });
}
