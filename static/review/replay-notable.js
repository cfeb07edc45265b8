/** `<replay-notable>`: how often what is worth a look happened; each button goes to the next such moment. Event: `next` with its kind. */

import { NOTABLE_KINDS } from "./notable.js";

/** @import { Notable, NotableKind } from "./notable.js" */

export class ReplayNotable extends HTMLElement {
  /** @param {Notable[]} moments */
  draw(moments) {
    const buttons = Object.entries(NOTABLE_KINDS).flatMap(([kind, words]) => {
      const count = moments.filter((moment) => moment.kind === kind).length;
      return count ? [this.#button(/** @type {NotableKind} */ (kind), count, words)] : [];
    });
    const focused = document.activeElement instanceof HTMLElement && this.contains(document.activeElement) ? document.activeElement.dataset.kind : "";
    this.replaceChildren(...buttons);
    if (focused) buttons.find((button) => button.dataset.kind === focused)?.focus();
  }

  #button(/** @type {NotableKind} */ kind, /** @type {number} */ count, /** @type {string} */ words) {
    const button = Object.assign(document.createElement("button"), { type: "button", title: "To the next of them" });
    button.dataset.kind = kind;
    button.append(Object.assign(document.createElement("b"), { textContent: String(count) }), ` ${words}`);
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("next", { detail: kind })));
    return button;
  }
}

customElements.define("replay-notable", ReplayNotable);
