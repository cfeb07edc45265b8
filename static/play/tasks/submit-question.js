/** `<submit-question>`: a dialog that asks before a grid is submitted that was hardly meant to be. Escape closes it. */

import { anotherScreen, timeOf, untilRested } from "../controls.js";
import { gettext } from "../../shared/catalogue.js";

/** @import { IntentGate } from "../turn-taking.js" */

/** @type {Readonly<Record<string, [heading: string, sentence: string]>>} */
const QUESTIONS = Object.freeze({
  untouched: [gettext("Submit an empty grid?"), gettext("Nothing is drawn in it.")],
  again: [gettext("Submit the same grid again?"), gettext("It is the grid that you submitted last.")],
});

/** Events: `confirm` with detail `{timeStamp}`; `close`. */
export class SubmitQuestion extends HTMLElement {
  #dialog = document.createElement("dialog");
  #heading = Object.assign(document.createElement("h2"), { id: "submit-question" });
  #sentence = document.createElement("span");
  #tries = Object.assign(document.createElement("span"), { className: "task-tries" });
  #back = Object.assign(document.createElement("button"), { type: "button", textContent: gettext("Go back") });
  #confirm = Object.assign(document.createElement("button"), { type: "button", textContent: gettext("Submit it") });
  /** @type {IntentGate | null} */
  #gate = null;
  #stopWaiting = () => {};

  connectedCallback() {
    const [text, choices] = [document.createElement("p"), document.createElement("div")];
    text.append(this.#sentence, " ", this.#tries);
    choices.className = "choices";
    choices.append(this.#back, this.#confirm);
    this.#dialog.setAttribute("aria-labelledby", this.#heading.id);
    this.#dialog.replaceChildren(this.#heading, text, choices);
    this.replaceChildren(this.#dialog);
    this.#back.addEventListener("click", () => this.#dialog.close());
    this.#confirm.addEventListener("click", (event) => {
      if (this.#gate?.pointer(timeOf(event)) !== "press") return;
      this.dispatchEvent(new CustomEvent("confirm", { detail: { timeStamp: timeOf(event) } }));
      this.#dialog.close();
    });
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.repeat && event.key !== "Tab") event.preventDefault();
    });
    this.#dialog.addEventListener("close", () => {
      this.#stopWaiting();
      if (this.#gate) anotherScreen(this.#gate);
      this.dispatchEvent(new Event("close"));
    });
  }

  get open() {
    return this.#dialog.open;
  }

  /** @param {string} kind  of question @param {string} tries  that are left, in words @param {IntentGate} gate */
  ask(kind, tries, gate) {
    this.#gate = gate;
    [this.#heading.textContent, this.#sentence.textContent] = QUESTIONS[kind];
    this.#tries.textContent = tries;
    this.#dialog.showModal();
    anotherScreen(gate);
    // Whoever presses several times in a row reads first: the button waits until hands have rested.
    this.#stopWaiting();
    this.#stopWaiting = untilRested(gate, (rested) => { this.#confirm.disabled = !rested; });
  }

  close() {
    this.#dialog.close();
  }
}

customElements.define("submit-question", SubmitQuestion);
