/**
 * `<play-debrief>`: the two questions about the environment that has just ended. Each may be skipped, and nothing waits for them: an
 * answer is sent as soon as it is given, and again while the server cannot be reached.
 */

import { ask, Refused } from "../shared/requests.js";
import { limitLetters } from "../shared/letters.js";
import { required } from "../shared/required.js";
import { gettext } from "../shared/catalogue.js";

/** @typedef {import("./types.js").AskedAbout} AskedAbout */

const WRITTEN_MS = 800;
const TRY_AGAIN_MS = 3000;
const SKIP = gettext("You can skip both.");
const SAVED = gettext("Saved.");
const NOT_SAVED = gettext("Not saved yet. Trying again.");

const CLOSED = gettext("These questions are no longer open.");

const PICTURE_KEY = "last picture";

/**
 * Keeps the picture of an attempt's end for the questions about it, on this page or on the last one.
 * @param {number} attempt @param {HTMLElement | null} board  null for a static task, which has none
 */
export function keepPicture(attempt, board) {
  window.sessionStorage.setItem(PICTURE_KEY, JSON.stringify({ attempt, address: board?.querySelector("canvas")?.toDataURL() }));
}

export class PlayDebrief extends HTMLElement {
  /** Of which attempt, by its number in the session; null where nothing is asked. @type {number | null} */
  #attempt = null;
  #token = "";
  /** What the server does not have yet, by the attempt. @type {Map<number, {token: string, difficulty: number | null, about: string}>} */
  #unsent = new Map();
  #sending = false;
  #timer = 0;

  connectedCallback() {
    const { form, about } = this.#parts();
    if (this.dataset.token) {
      this.#attempt = Number(this.dataset.attempt);
      this.#token = this.dataset.token;
      this.#showPicture();
    }
    limitLetters(form);
    this.#tell(SKIP);
    window.addEventListener("pagehide", () => this.#unsent.forEach((answers) => void this.#sent(answers)));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => {
      this.#keep();
      this.send();
    });
    about.addEventListener("input", () => {
      this.#keep();
      this.#sendIn(WRITTEN_MS);
    });
  }

  /** Asks about an attempt, with what was answered so far; the same questions again leave what was written. */
  show(/** @type {AskedAbout | null} */ asked) {
    this.hidden = asked === null;
    if (asked === null) return;
    this.#token = asked.token;
    if (asked.attempt === this.#attempt) return;
    this.#attempt = asked.attempt;
    this.#showPicture();
    const { steps, about } = this.#parts();
    for (const step of steps) step.checked = Number(step.value) === asked.difficulty;
    about.value = asked.about;
    this.#tell(asked.difficulty === null && asked.about === "" ? SKIP : SAVED);
  }

  /** Sends what the server does not have yet, and says how it went once nothing newer is left. */
  async send() {
    clearTimeout(this.#timer);
    if (this.#sending) return;
    this.#sending = true;
    let outcome = "";
    for (let next = this.#next(); next && outcome !== NOT_SAVED; next = this.#next()) {
      const [attempt, answers] = next;
      outcome = await this.#sent(answers);
      if (outcome !== NOT_SAVED && this.#unsent.get(attempt) === answers) this.#unsent.delete(attempt);
    }
    this.#sending = false;
    if (outcome) this.#tell(outcome);
    if (this.#unsent.size > 0) this.#sendIn(TRY_AGAIN_MS);
  }

  #next() {
    return this.#unsent.entries().next().value;
  }

  /** What is said of answers that were sent: a refusal that would come again ends the sending, too. */
  async #sent(/** @type {object} */ answers) {
    try {
      await ask("POST", this.#parts().form.action, answers, { keepalive: true });
      return SAVED;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.answer === null || error.code === "too_many_answers" ? NOT_SAVED : CLOSED;
    }
  }

  #keep() {
    if (this.#attempt === null) return;
    const { steps, about } = this.#parts();
    const chosen = steps.find((step) => step.checked);
    this.#unsent.set(this.#attempt, { token: this.#token, difficulty: chosen ? Number(chosen.value) : null, about: about.value });
    this.#tell("");
  }

  #sendIn(/** @type {number} */ milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), milliseconds);
  }

  /** Says by its last picture which game is meant. A static task has none. */
  #showPicture() {
    const picture = required(this, "img", HTMLImageElement);
    const kept = JSON.parse(window.sessionStorage.getItem(PICTURE_KEY) ?? "null");
    picture.hidden = !kept?.address || kept.attempt !== this.#attempt;
    if (!picture.hidden) picture.src = kept.address;
  }

  #tell(/** @type {string} */ text) {
    this.#parts().status.textContent = text;
  }

  #parts() {
    return {
      form: required(this, "form", HTMLFormElement),
      steps: [...this.querySelectorAll("input")].filter((input) => input.type === "radio"),
      about: required(this, "textarea", HTMLTextAreaElement),
      status: required(this, "[role=status]", HTMLElement),
    };
  }
}

customElements.define("play-debrief", PlayDebrief);
