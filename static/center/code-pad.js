/**
 * `<code-pad data-characters="…">`: keys on the screen for the code of the page. Open where nothing but fingers points; else a button
 * opens it. While it is open, no keyboard of the system covers it.
 */

import { gettext } from "../shared/catalogue.js";
import { nextMark } from "../shared/arrow-keys.js";
import { required } from "../shared/required.js";

class CodePad extends HTMLElement {
  #pad = document.createElement("div");
  #toggle = button("", () => this.#open(Boolean(this.#pad.hidden)));

  connectedCallback() {
    const keys = Array.from(this.dataset.characters ?? "", (character) => button(character, () => this.#put(character)));
    this.#pad.append(...keys, button(gettext("Delete"), () => this.#delete()));
    this.#pad.setAttribute("role", "group");
    this.#pad.setAttribute("aria-label", gettext("Keys of the code"));
    this.#pad.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the field
    this.#pad.addEventListener("keydown", this.#keyed);
    this.translate = false;
    this.replaceChildren(this.#toggle, this.#pad);
    this.#reach(0);
    this.#open(!window.matchMedia("(any-pointer: fine)").matches);
  }

  get #field() {
    return required(document, "#code", HTMLInputElement);
  }

  #open(/** @type {boolean} */ open) {
    this.#pad.hidden = !open;
    this.#toggle.textContent = open ? gettext("Hide the keys") : gettext("Show keys on the screen");
    this.#toggle.setAttribute("aria-expanded", String(open));
    this.#field.inputMode = open ? "none" : "text";
  }

  #put(/** @type {string} */ character) {
    const { selectionStart, selectionEnd } = this.#field;
    this.#replace(character, selectionStart ?? 0, selectionEnd ?? 0);
  }

  /** Deletes what is selected, or the character before the caret with the dash after it. */
  #delete() {
    const { selectionStart, selectionEnd, value } = this.#field;
    const [from, to] = [selectionStart ?? 0, selectionEnd ?? 0];
    this.#replace("", from === to ? value.slice(0, from).replace(/.[\s-]*$/u, "").length : from, to);
  }

  /** @param {string} text @param {number} from @param {number} to */
  #replace(text, from, to) {
    this.#field.setRangeText(text, from, to, "end");
    this.#field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** One key is reached by Tab, the others by arrows. */
  #reach(/** @type {number} */ index) {
    [...this.#pad.children].forEach((key, place) => key.setAttribute("tabindex", place === index ? "0" : "-1"));
  }

  #keyed = (/** @type {KeyboardEvent} */ event) => {
    const keys = [...this.#pad.querySelectorAll("button")];
    const at = keys.findIndex((key) => key === event.target);
    const places = keys.map((key) => ({ x: key.offsetLeft + key.offsetWidth / 2, y: key.offsetTop, row: key.offsetTop }));
    const next = at < 0 ? null : nextMark(places, at, event.key);
    if (next === null) return;
    event.preventDefault();
    this.#reach(next);
    keys[next].focus();
  };
}

/** @param {string} text @param {() => void} pressed */
function button(text, pressed) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  made.addEventListener("click", pressed);
  return made;
}

customElements.define("code-pad", CodePad);
