/** `<pattern-switch>`: whether a pattern is drawn on each colour. Off at first, kept for this sitting in this browser. */

/** Whose sitting chose it: the next person at this station begins without. */
const KEPT = "patterns";

/** Event: `change` when the person has chosen otherwise. */
export class PatternSwitch extends HTMLElement {
  on = false;
  #button = document.createElement("button");

  connectedCallback() {
    this.on = window.localStorage.getItem(KEPT) === this.dataset.sitting;
    this.#button.type = "button";
    this.#button.textContent = "Colour patterns";
    this.#button.setAttribute("aria-pressed", String(this.on));
    this.#button.addEventListener("click", () => this.#toggle());
    // A pointer takes no focus, so that Space stays the environment's.
    this.#button.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#button.addEventListener("mousedown", (event) => event.preventDefault());
    this.replaceChildren(this.#button);
  }

  #toggle() {
    this.on = !this.on;
    if (this.on) window.localStorage.setItem(KEPT, this.dataset.sitting ?? "");
    else window.localStorage.removeItem(KEPT);
    this.#button.setAttribute("aria-pressed", String(this.on));
    this.dispatchEvent(new Event("change"));
  }
}

customElements.define("pattern-switch", PatternSwitch);
