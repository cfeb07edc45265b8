/** `<task-tools>`: colours, tools and the submission of the task editor, as buttons that also say their keys. */

import { PALETTE, hexadecimal } from "../../shared/palette.js";
import { icon } from "../../shared/drawing.js";
import { leaveFocus } from "../../shared/events.js";
import { tile } from "../../shared/colour-patterns.js";
import { COLOUR_NAMES, LARGEST, PALETTE_OF_COLOURS } from "./grids.js";
import { gettext } from "../../shared/catalogue.js";

/** @import { Command } from "./editor-keys.js" */
/** @typedef {"paint" | "fill" | "select" | "paste"} Tool  what a press on the output grid does */
/** @typedef {{command: Command, name: string, key: string, icon: string}} Kind */

const SWATCH = 24;

/** Icons are strokes in a box of 24 by 24. @type {readonly Kind[]} */
const TOOLS = Object.freeze([
  { command: "paint", name: gettext("Paint"), key: "P", icon: "M4 20l1-4L16 5l3 3L8 19ZM14 7l3 3" },
  { command: "fill", name: gettext("Fill"), key: "F", icon: "M5 12l7-7 7 7-7 7ZM5 12h14M20 16v3" },
  { command: "select", name: gettext("Select"), key: "S", icon: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4" },
  { command: "paste", name: gettext("Paste"), key: "V", icon: "M8 4h8v3H8ZM6 5v15h12V5M9 12h6M9 16h6" },
]);
/** @type {readonly Kind[]} */
const COMMANDS = Object.freeze([
  { command: "copy_input", name: gettext("Copy input"), key: "C", icon: "M4 4h10v10H4ZM10 14v6h10V10h-6" },
  { command: "clear", name: gettext("Clear"), key: "X", icon: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13" },
  { command: "undo", name: gettext("Undo"), key: "Z", icon: "M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11H9" },
  { command: "redo", name: gettext("Redo"), key: "Y", icon: "M15 4l5 5-5 5M20 9H10a5.5 5.5 0 0 0 0 11h5" },
]);
/** @type {readonly Kind[]} */
const SIZES = Object.freeze([
  { command: "lower", name: gettext("One row less"), key: "Alt+↑", icon: "M5 20h14M12 15V4M8 8l4-4 4 4" },
  { command: "higher", name: gettext("One row more"), key: "Alt+↓", icon: "M5 4h14M12 9v11M8 16l4 4 4-4" },
  { command: "narrower", name: gettext("One column less"), key: "Alt+←", icon: "M20 5v14M15 12H4M8 8l-4 4 4 4" },
  { command: "wider", name: gettext("One column more"), key: "Alt+→", icon: "M4 5v14M9 12h11M16 8l4 4-4 4" },
]);

const SIZE_ERROR = gettext("Rows and columns are whole numbers from 1 to {largest}.", { largest: LARGEST });

/**
 * Events: `command` and `colour` with detail `{command}` or `{colour}`, and `timeStamp`; `size` with detail
 * `{height, width, timeStamp}` when one was typed; `left` when the fields of the size need the keyboard no longer.
 */
export class TaskTools extends HTMLElement {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {HTMLButtonElement[]} */
  #colours = [];
  #rows = sizeField(gettext("Rows"));
  #columns = sizeField(gettext("Columns"));
  #sizeError = Object.assign(document.createElement("p"), { className: "task-size-error", id: "task-size-error" });
  #shown = { height: 0, width: 0 };
  #tries = Object.assign(document.createElement("span"), { className: "task-tries" });

  connectedCallback() {
    this.#colours = COLOUR_NAMES.map((name, colour) => this.#colourButton(name, colour));
    const submit = this.#button({ command: "submit", name: gettext("Submit"), key: "Ctrl+Enter", icon: "" });
    submit.classList.add("primary");
    const [lower, higher, narrower, wider] = SIZES.map((kind) => this.#button(kind));
    this.replaceChildren(
      group("colours", gettext("Colours"), this.#colours),
      group("tools", gettext("Tools"), [...TOOLS, ...COMMANDS].map((kind) => this.#button(kind))),
      group("size", gettext("Size"), [lower, higher, this.#sizeForm(), narrower, wider]),
      group("submission", gettext("Submission"), [this.#tries, submit]),
    );
    this.patterns = false;
  }

  set patterns(/** @type {boolean} */ wanted) {
    this.#colours.forEach((button, colour) => {
      const context = button.querySelector("canvas")?.getContext("2d");
      const index = PALETTE_OF_COLOURS[colour];
      if (wanted) {
        context?.putImageData(new ImageData(new Uint8ClampedArray(tile(index, SWATCH).buffer), SWATCH, SWATCH), 0, 0);
      } else if (context) {
        context.fillStyle = hexadecimal(PALETTE[index]);
        context.fillRect(0, 0, SWATCH, SWATCH);
      }
    });
  }

  /** Shows what is chosen and what can be used. @param {{tool: Tool, colour: number, height: number, width: number, tries: string, disabled: ReadonlySet<string>}} shown */
  show({ tool, colour, height, width, tries, disabled }) {
    for (const { command } of TOOLS) this.#buttons.get(command)?.setAttribute("aria-pressed", String(command === tool));
    this.#colours.forEach((button, index) => button.setAttribute("aria-pressed", String(index === colour)));
    for (const [name, button] of this.#buttons) button.setAttribute("aria-disabled", String(disabled.has(name)));
    this.#shown = { height, width };
    for (const field of [this.#rows, this.#columns]) field.disabled = disabled.has("clear");
    this.#showSize();
    this.#tries.textContent = tries;
  }

  /** Marks a tool as used, for the tutorial. @param {string} command */
  light(command) {
    this.#buttons.get(command)?.classList.add("used");
  }

  /** @param {Kind} kind */
  #button(kind) {
    const button = pressable(kind.name, kind.key);
    button.dataset.command = kind.command;
    if (kind.icon) button.append(icon(kind.icon));
    const name = Object.assign(document.createElement("span"), { className: "task-name", textContent: kind.name });
    button.append(name);
    button.addEventListener("click", (event) => {
      if (button.getAttribute("aria-disabled") !== "true") this.#tell("command", event, { command: kind.command });
    });
    this.#buttons.set(kind.command, button);
    return button;
  }

  #sizeForm() {
    const form = Object.assign(document.createElement("span"), { className: "task-size-form" });
    this.#sizeError.setAttribute("role", "alert");
    form.append(this.#rows, "×", this.#columns, this.#sizeError);
    form.addEventListener("change", (event) => this.#sized(event));
    form.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLInputElement) target.select();
    });
    form.addEventListener("keydown", (event) => {
      const isLeft = event.key === "Escape" || (event.key === "Enter" && this.#sized(event));
      if (event.key === "Escape") this.#showSize(true);
      if (isLeft) this.dispatchEvent(new Event("left"));
    });
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && form.contains(relatedTarget)) return;
      this.#showSize(true);
    });
    return form;
  }

  /** The size as it is, except while one is typed, unless that is given up. */
  #showSize(isGivenUp = false) {
    if (isGivenUp) this.#say("");
    const { height, width } = this.#shown;
    for (const [field, size] of /** @type {const} */ ([[this.#rows, height], [this.#columns, width]])) {
      if (isGivenUp || (document.activeElement !== field && !this.#sizeError.textContent)) field.value = String(size);
    }
  }

  /** Applies the size that was typed; returns false, and says why, if it is none. @param {Event} event */
  #sized({ timeStamp }) {
    const [height, width] = [this.#rows, this.#columns].map(({ value }) => (/^\s*\d+\s*$/.test(value) ? Number(value) : 0));
    const wrong = [height, width].some((size) => size < 1 || size > LARGEST);
    this.#say(wrong ? SIZE_ERROR : "");
    if (!wrong) this.dispatchEvent(new CustomEvent("size", { detail: { height, width, timeStamp } }));
    return !wrong;
  }

  #say(/** @type {string} */ error) {
    this.#sizeError.textContent = error;
    for (const field of [this.#rows, this.#columns]) field.setAttribute("aria-invalid", String(error !== ""));
  }

  /** @param {string} name @param {number} colour */
  #colourButton(name, colour) {
    const button = pressable(name, String(colour));
    button.classList.add("task-colour");
    button.append(Object.assign(document.createElement("canvas"), { width: SWATCH, height: SWATCH }));
    button.addEventListener("click", (event) => this.#tell("colour", event, { colour }));
    return button;
  }

  /** @param {string} type @param {MouseEvent} event @param {object} what */
  #tell(type, event, what) {
    this.dispatchEvent(new CustomEvent(type, { detail: { ...what, timeStamp: event.timeStamp } }));
  }
}

/** A button that leaves the focus on the output grid when it is pressed by a pointer. @param {string} name @param {string} key */
export function pressable(name, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", name);
  button.setAttribute("aria-keyshortcuts", key.replace("Ctrl", "Control").replace("↑", "ArrowUp").replace("↓", "ArrowDown")
    .replace("←", "ArrowLeft").replace("→", "ArrowRight"));
  button.title = `${name} (${key})`;
  leaveFocus(button);
  return button;
}

/** @param {string} name */
function sizeField(name) {
  const field = Object.assign(document.createElement("input"), { inputMode: "numeric", enterKeyHint: "done", autocomplete: "off", maxLength: 3 });
  field.setAttribute("aria-label", name);
  field.setAttribute("aria-describedby", "task-size-error");
  return field;
}

/** @param {string} name  of its style @param {string} label @param {HTMLElement[]} children */
function group(name, label, children) {
  const found = document.createElement("div");
  found.className = `task-group task-${name}`;
  found.setAttribute("role", "group");
  found.setAttribute("aria-label", label);
  found.append(...children);
  return found;
}

customElements.define("task-tools", TaskTools);
