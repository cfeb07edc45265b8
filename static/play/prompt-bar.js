/** `<prompt-bar>`: asks at the soft limit whether to finish, below the board. */

import { duration } from "./durations.js";

/** Events: `answer` with detail "finish" or "continue". */
export class PromptBar extends HTMLElement {
  #text = document.createElement("p");
  #finish = this.#button("Finish now", "finish");
  #continue = this.#button("Keep going", "continue");

  connectedCallback() {
    this.setAttribute("role", "status");
    this.replaceChildren(this.#text, this.#finish, this.#continue);
  }

  /** @param {number} spent  seconds here @param {number} left  seconds until it ends by itself */
  show(spent, left) {
    this.#text.textContent = `You have spent ${duration(spent)} here.`;
    this.#continue.textContent = `Keep going (up to ${duration(left)})`;
    this.hidden = false;
  }

  /** @param {string} label @param {string} answer */
  #button(label, answer) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      this.hidden = true;
      this.dispatchEvent(new CustomEvent("answer", { detail: answer }));
    });
    return button;
  }
}

customElements.define("prompt-bar", PromptBar);
