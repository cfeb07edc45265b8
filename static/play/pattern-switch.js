/** `<pattern-switch>`: turns a pattern on each colour on or off. Off at first; stored in this browser for this session. */

import { gettext } from "../shared/catalogue.js";

/** Holds the session in which patterns were turned on: the next participant at this station begins without. */
const STORAGE_KEY = "patterns";

/** Event: `change` if it was turned on or off. */
export class PatternSwitch extends HTMLElement {
  on = false;
  #button = document.createElement("button");

  connectedCallback() {
    this.on = window.localStorage.getItem(STORAGE_KEY) === this.dataset.session;
    this.#button.type = "button";
    this.#button.textContent = gettext("Colour patterns");
    this.#button.title = gettext("Colour patterns draw a pattern on each colour, so that colours can be told apart without seeing them.");
    this.#button.setAttribute("aria-pressed", String(this.on));
    this.#button.addEventListener("click", () => this.#toggle());
    // A pointer does not move the focus, so that Space still belongs to the environment.
    this.#button.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#button.addEventListener("mousedown", (event) => event.preventDefault());
    this.replaceChildren(this.#button);
  }

  #toggle() {
    this.on = !this.on;
    if (this.on) window.localStorage.setItem(STORAGE_KEY, this.dataset.session ?? "");
    else window.localStorage.removeItem(STORAGE_KEY);
    this.#button.setAttribute("aria-pressed", String(this.on));
    this.dispatchEvent(new Event("change"));
  }
}

customElements.define("pattern-switch", PatternSwitch);
