/** The fields of a card: shows a content in the form and reads it from there. Rows can be added, removed and put back. */

import { drawCells } from "../../shared/drawing.js";
import { required } from "../../shared/required.js";
import { cellsOf, digitsOf, problemOf, textOf } from "./sketch.js";

/** @typedef {Record<string, string | number>} Row */
/** @typedef {{concept: string, priors: string[], controls: string[], mechanics: Row[], known_games: Row[], sketches: Row[], searched: string}} Content  as rules.cards.CardContent */

const LISTS = /** @type {const} */ (["mechanics", "known_games", "sketches"]);
const TEXTS = /** @type {const} */ (["concept", "searched"]);
const CHOICES = /** @type {const} */ (["priors", "controls"]);

export class CardForm {
  /** @param {HTMLFormElement} form @param {() => void} changed */
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    form.addEventListener("input", changed);
    for (const list of LISTS) {
      required(form, `[data-add=${list}]`, HTMLButtonElement).addEventListener("click", () => this.#added(list));
    }
  }

  show(/** @type {Content} */ content) {
    for (const text of TEXTS) required(this.form, `[name=${text}]`, HTMLTextAreaElement).value = content[text] ?? "";
    for (const choice of CHOICES) {
      for (const box of this.form.querySelectorAll(`input[name=${choice}]`)) {
        if (box instanceof HTMLInputElement) box.checked = content[choice].includes(box.value);
      }
    }
    for (const list of LISTS) {
      this.#list(list).replaceChildren();
      for (const row of content[list]) this.#add(list, row);
    }
  }

  /** @returns {Content} */
  read() {
    const chosen = (/** @type {string} */ name) => new FormData(this.form).getAll(name).map(String);
    const rows = (/** @type {string} */ list) => this.#rows(list).map(readRow);
    const text = (/** @type {string} */ name) => required(this.form, `[name=${name}]`, HTMLTextAreaElement).value;
    return {
      concept: text("concept"),
      searched: text("searched"),
      priors: chosen("priors"),
      controls: chosen("controls"),
      mechanics: rows("mechanics"),
      known_games: rows("known_games"),
      sketches: rows("sketches"),
    };
  }

  /** Whether levels and sketches can be saved; what is wrong with the first that cannot is shown. */
  isValid() {
    const fields = LISTS.flatMap((list) => this.#rows(list).flatMap(fieldsOf));
    return fields.every((field) => field.reportValidity());
  }

  #list(/** @type {string} */ list) {
    return required(this.form, `[data-list=${list}]`, HTMLElement);
  }

  /** The rows that are not removed. */
  #rows(/** @type {string} */ list) {
    return [...this.#list(list).querySelectorAll(":scope > :not(.removed)")];
  }

  /** @param {string} list @param {Row} values */
  #add(list, values) {
    const template = required(document, `#row-${list}`, HTMLTemplateElement);
    const row = required(/** @type {DocumentFragment} */ (template.content.cloneNode(true)), "li", HTMLElement);
    this.#list(list).append(row);
    for (const field of fieldsOf(row)) field.value = String(values[partOf(field)] ?? "");
    if (list === "sketches") prepareSketch(row);
    required(row, "[data-remove]", HTMLButtonElement).addEventListener("click", () => this.#remove(row));
    required(row, "[data-restore]", HTMLButtonElement).addEventListener("click", () => this.#restore(row));
    return row;
  }

  #added(/** @type {string} */ list) {
    const level = Math.max(0, ...this.#rows(list).map((row) => Number(readRow(row).level ?? 0))) + 1;
    this.#add(list, { level }).querySelector("input")?.focus();
    this.changed();
  }

  #remove(/** @type {HTMLElement} */ row) {
    row.classList.add("removed");
    required(row, "[data-restore]", HTMLButtonElement).focus();
    this.changed();
  }

  #restore(/** @type {HTMLElement} */ row) {
    row.classList.remove("removed");
    row.querySelector("input")?.focus();
    this.changed();
  }
}

/** Shows a sketch's digits as lines, and its picture whenever the text is a sketch. */
function prepareSketch(/** @type {HTMLElement} */ row) {
  const text = required(row, "textarea", HTMLTextAreaElement);
  const show = () => {
    const problem = problemOf(text.value);
    text.setCustomValidity(problem);
    required(row, "[role=status]", HTMLElement).textContent = text.value && problem;
    if (!problem) drawCells(required(row, "canvas.preview", HTMLCanvasElement), cellsOf(digitsOf(text.value)));
  };
  text.value = textOf(text.value) || text.value;
  text.addEventListener("input", show);
  show();
}

/** @param {Element} row @returns {Row} */
function readRow(row) {
  return Object.fromEntries(fieldsOf(row).map((field) => [partOf(field), valueOf(partOf(field), field.value)]));
}

/** A level as a number, a sketch as its digits. @param {string} part @param {string} value */
function valueOf(part, value) {
  if (part === "level") return Number(value);
  return part === "cells" && !problemOf(value) ? digitsOf(value) : value;
}

/** The fields of a row: each is named "list:part". @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
function fieldsOf(/** @type {Element} */ row) {
  return /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ ([...row.querySelectorAll("[name*=':']")]);
}

function partOf(/** @type {{name: string}} */ field) {
  return field.name.split(":")[1];
}
