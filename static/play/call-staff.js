/** `<call-staff>`: calls a member of staff, with or without a socket, and says that one is coming once somebody has answered. */

import { leaveFocus } from "../shared/events.js";
import { poll } from "../shared/polling.js";
import { ask, load } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { gettext } from "../shared/catalogue.js";

const ASK_EVERY_MS = 5000;
const ANSWER_WITHIN_MS = 5000;
/** That somebody is coming stands in the place of the button for so long; then one can call again. */
const COMING_SHOWN_MS = 10_000;
const CALLING = gettext("Calling…");
const CALLED = gettext("A member of staff has been called.");
const COMING = gettext("A member of staff is coming.");
const CALL = gettext("Call a member of staff");
const FAILED = gettext("That did not work. Try again, or raise your hand.");

/** Event: `called` when a press was accepted. */
export class CallStaff extends HTMLElement {
  /** Whether an answer of the server is awaited. */
  #asking = false;
  /** Stops asking whether the call has been answered. @type {(() => void) | null} */
  #stop = null;
  /** @type {number | undefined} */
  #offerTimer;

  connectedCallback() {
    const { form, button } = this.#parts();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#call();
    });
    leaveFocus(button);
    if (button.hidden) this.#wait();
  }

  disconnectedCallback() {
    this.#stop?.();
    this.#stop = null;
  }

  async #call() {
    if (this.#asking) return;
    this.#asking = true;
    const { form, button, text } = this.#parts();
    text.textContent = "";
    button.textContent = CALLING;
    try {
      const { called } = await ask("POST", form.action, undefined, { withinMs: ANSWER_WITHIN_MS });
      button.textContent = CALL;
      const focused = document.activeElement === button;
      // A paused page has two buttons: in its place and on what covers it.
      for (const each of document.querySelectorAll("call-staff")) if (each instanceof CallStaff) each.#show(called);
      if (focused) text.focus();
      this.dispatchEvent(new Event("called"));
    } catch {
      button.textContent = FAILED;
    }
    this.#asking = false;
  }

  /** @param {boolean} called  whether a call waits; one that does no more was answered */
  #show(called) {
    const { button, text } = this.#parts();
    button.hidden = true;
    text.textContent = called ? CALLED : COMING;
    clearTimeout(this.#offerTimer);
    if (called) {
      this.#wait();
    } else {
      this.disconnectedCallback();
      this.#offerTimer = setTimeout(() => this.#offer(), COMING_SHOWN_MS);
    }
  }

  #offer() {
    const { button, text } = this.#parts();
    button.hidden = false;
    if (document.activeElement === text) button.focus();
    text.textContent = "";
  }

  /** Asks again and again whether the call has been answered. */
  #wait() {
    this.#stop ??= poll(async (signal) => {
      const response = await load(this.#parts().form.action, { headers: { Accept: "application/json" }, signal });
      const { called } = await response.json();
      if (!called && this.#stop) this.#show(false);
    }, ASK_EVERY_MS);
  }

  #parts() {
    return {
      form: required(this, "form", HTMLFormElement),
      button: required(this, "button", HTMLButtonElement),
      text: required(this, "p", HTMLElement),
    };
  }
}

customElements.define("call-staff", CallStaff);
