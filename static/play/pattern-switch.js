/** `<pattern-switch>`: turns a pattern on each colour on or off, and softer flashes. Off at first; stored in this browser for this session. */

import { gettext } from "../shared/catalogue.js";
import { leaveFocus } from "../shared/events.js";

const PATTERNS = gettext("Colour patterns draw a pattern on each colour, so that colours can be told apart without seeing them.");
const FLASHES = gettext("Softer flashes let the picture fade where most of it would flash.");

/** Event: `change` if one was turned on or off. */
export class PatternSwitch extends HTMLElement {
  /** Whether a pattern is drawn on each colour. */
  on = false;
  /** Whether flashes of the whole screen are softened. */
  softer = false;

  connectedCallback() {
    this.replaceChildren(
      this.#button("patterns", gettext("Colour patterns"), PATTERNS, (on) => { this.on = on; }),
      this.#button("flashes", gettext("Softer flashes"), FLASHES, (on) => { this.softer = on; }),
    );
  }

  /** @param {string} key  holds the session in which it was turned on: the next participant at this station begins without @param {string} textContent @param {string} title @param {(on: boolean) => void} turn */
  #button(key, textContent, title, turn) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: key, textContent, title });
    const show = (/** @type {boolean} */ on) => {
      turn(on);
      button.setAttribute("aria-pressed", String(on));
    };
    show(window.localStorage.getItem(key) === this.dataset.session);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      if (on) window.localStorage.setItem(key, this.dataset.session ?? "");
      else window.localStorage.removeItem(key);
      show(on);
      this.dispatchEvent(new Event("change"));
    });
    leaveFocus(button);
    return button;
  }
}

customElements.define("pattern-switch", PatternSwitch);
