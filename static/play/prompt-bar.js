/** `<prompt-bar>`: the soft limit's question, under the board. */

import { duration } from "./durations.js";

/** Events: `answer` with detail "finish" or "continue". */
export class PromptBar extends HTMLElement {
  #words = document.createElement("p");

  connectedCallback() {
    this.setAttribute("role", "status");
    this.replaceChildren(this.#words, this.#button("Finish now", "finish"), this.#button("Keep going", "continue"));
  }

  /** @param {number} spent  seconds here @param {number} left  seconds until it ends by itself */
  show(spent, left) {
    const keep = /** @type {HTMLElement} */ (this.lastElementChild);
    this.#words.textContent = `You have spent ${duration(spent)} here.`;
    keep.textContent = `Keep going (up to ${duration(left)})`;
    this.hidden = false;
  }

  /** @param {string} words @param {string} answer */
  #button(words, answer) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => {
      this.hidden = true;
      this.dispatchEvent(new CustomEvent("answer", { detail: answer }));
    });
    return button;
  }
}

customElements.define("prompt-bar", PromptBar);
