/** `<replay-find>`: finds lines of the log; the return key goes to the next one. */

/** @import { ReplayLog } from "./replay-log.js" */

export class ReplayFind extends HTMLElement {
  #field = document.createElement("input");
  #count = document.createElement("span");

  connectedCallback() {
    const label = "Find an action or event";
    Object.assign(this.#field, { type: "search", name: "find", placeholder: label, title: "Find (/), next (return)" });
    this.#field.setAttribute("aria-label", label);
    this.#count.setAttribute("role", "status");
    this.replaceChildren(this.#field, " ", this.#count);
  }

  searchIn(/** @type {ReplayLog} */ log) {
    this.#field.addEventListener("input", () => {
      const { shown, of } = log.filter(this.#field.value);
      this.#count.textContent = this.#field.value.trim() === "" ? "" : `${shown} of ${of}`;
    });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      log.next();
    });
  }

  /** @override */
  focus() {
    this.#field.focus();
  }
}

customElements.define("replay-find", ReplayFind);
