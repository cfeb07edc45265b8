/** `<play-progress>`: the levels, or the test inputs of a task, as dots, "Level 2 of 7", and the time spent here; times as text. */

import { gettext } from "../shared/catalogue.js";

/** @param {number} seconds @returns {string} such as "12:05" */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {number} seconds @returns {string} such as "12 minutes", or seconds below one minute, in the language of the page */
export function duration(seconds) {
  const unit = seconds < 60 ? "second" : "minute";
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(unit === "second" ? seconds : seconds / 60));
}

/** `<play-progress>`: the levels, or the test inputs of a task, as dots, "Level 2 of 7", and the time spent here. */
export class PlayProgress extends HTMLElement {
  #text = document.createElement("h1");
  #dots = document.createElement("ol");
  #clock = document.createElement("p");
  /** performance.now() when the time spent was zero; null while the clock stands still. @type {number | null} */
  #since = null;

  connectedCallback() {
    this.#text.className = "level";
    this.#dots.className = "dots";
    this.#dots.setAttribute("aria-hidden", "true");
    this.#clock.className = "clock";
    this.replaceChildren(this.#text, this.#dots, this.#clock);
    setInterval(() => this.#tick(), 250);
  }

  /** @param {number} seconds  spent here until now @param {boolean} running  whether the clock runs */
  start(seconds, running) {
    this.#since = running ? performance.now() - seconds * 1000 : null;
    this.#clock.textContent = clock(seconds);
  }

  /** The clock stands still where it is: the page is cut off, and the server says what it shows afterwards. */
  stop() {
    this.#tick();
    this.#since = null;
  }

  /**
   * @param {number} level  the one played now, from 1
   * @param {number} levels  how many there are
   * @param {number} completed
   */
  show(level, levels, completed) {
    this.#draw(gettext("Level {level} of {levels}", { level: Math.min(level, levels), levels }), levels, (index) => {
      if (index < completed) return "done";
      return index === completed ? "now" : "";
    });
  }

  /**
   * Shows the test inputs of a static task.
   * @param {number} input  the one in work, from 1
   * @param {readonly {closed: boolean}[]} inputs
   */
  showInputs(input, inputs) {
    this.#draw(gettext("Test input {input} of {inputs}", { input, inputs: inputs.length }), inputs.length, (index) => {
      if (inputs[index].closed) return "done";
      return index === input - 1 ? "now" : "";
    });
  }

  /** @param {string} text @param {number} count @param {(index: number) => string} nameOf */
  #draw(text, count, nameOf) {
    this.#text.textContent = text;
    this.#dots.replaceChildren(...Array.from({ length: count }, (_, index) => {
      const dot = document.createElement("li");
      dot.className = nameOf(index);
      return dot;
    }));
  }

  #tick() {
    if (this.#since !== null) this.#clock.textContent = clock((performance.now() - this.#since) / 1000);
  }
}

customElements.define("play-progress", PlayProgress);
