/** `<time-announcement>`: says for some seconds about how many minutes are left in the session, where it moves nothing. */

const SHOWN_MS = 15_000;
const NUMERALS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export class TimeAnnouncement extends HTMLElement {
  /** @type {number | undefined} */
  #timer;

  say(/** @type {number} */ minutes) {
    const number = NUMERALS[minutes] ?? String(minutes);
    this.textContent = `About ${number} ${minutes === 1 ? "minute is" : "minutes are"} left in your session.`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.replaceChildren(), SHOWN_MS);
  }
}

customElements.define("time-announcement", TimeAnnouncement);
