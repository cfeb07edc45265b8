/** `<play-progress>`: the levels as dots, "Level 2 of 7", and the time spent here. */

import { clock } from "./durations.js";

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

  /**
   * @param {number} level  the one played now, from 1
   * @param {number} levels  how many there are
   * @param {number} completed
   */
  show(level, levels, completed) {
    this.#text.textContent = `Level ${Math.min(level, levels)} of ${levels}`;
    const dots = Array.from({ length: levels }, (_, index) => {
      const dot = document.createElement("li");
      if (index < completed) dot.className = "done";
      else if (index === completed) dot.className = "now";
      return dot;
    });
    this.#dots.replaceChildren(...dots);
  }

  #tick() {
    if (this.#since !== null) this.#clock.textContent = clock((performance.now() - this.#since) / 1000);
  }
}

customElements.define("play-progress", PlayProgress);
