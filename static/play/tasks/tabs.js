/** `<task-tabs>`: one button for each test input, if a task has several. */

import { gettext } from "../../shared/catalogue.js";
import { leaveFocus } from "../../shared/events.js";

/** What is said of a closed one, by whether it is solved. @type {Readonly<Record<string, string>>} */
const STATES = Object.freeze({ null: gettext("closed"), true: gettext("solved"), false: gettext("not solved") });

/** @import { TaskState } from "./types" */

/** Event: `open` with detail `{input, timeStamp}`; inputs count from 1. */
export class InputTabs extends HTMLElement {
  /** @type {HTMLButtonElement[]} */
  #buttons = [];

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", gettext("Test inputs"));
  }

  /** @param {TaskState} state */
  show({ open, inputs }) {
    this.hidden = inputs.length < 2;
    if (this.#buttons.length !== inputs.length) this.#build(inputs.length);
    this.#buttons.forEach((button, index) => {
      const { closed, solved } = inputs[index];
      const sign = !closed ? "" : solved === null ? " •" : solved ? " ✓" : " ✕";
      button.textContent = `${gettext("Test input {input}", { input: index + 1 })}${sign}`;
      button.setAttribute("aria-pressed", String(index === open));
      button.setAttribute("aria-label", [gettext("Test input {input}", { input: index + 1 }), ...(closed ? [STATES[String(solved)]] : [])].join(gettext(", ")));
    });
  }

  #build(/** @type {number} */ count) {
    this.#buttons = Array.from({ length: count }, (_, index) => {
      const button = document.createElement("button");
      button.type = "button";
      leaveFocus(button);
      button.addEventListener("click", ({ timeStamp }) => {
        this.dispatchEvent(new CustomEvent("open", { detail: { input: index + 1, timeStamp } }));
      });
      return button;
    });
    this.replaceChildren(...this.#buttons);
  }
}

customElements.define("task-tabs", InputTabs);
