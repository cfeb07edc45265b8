/** What is said over the board: the progress, the connection, the soft limit, an announcement, a pause. */

import { isUnclear } from "./keys.js";
import { gettext } from "../shared/catalogue.js";
import { required } from "../shared/required.js";

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

/**
 * `<time-announcement>`: says for some seconds what moves nothing: about how many minutes are left, or that a key is not understood.
 * What can lie over the page has one of its own, which says the same while it does.
 */
const SHOWN_MS = 15_000;
const UNCLEAR = gettext("This page cannot tell which key that was. Set your keyboard to English, or use the buttons on the screen.");

export class TimeAnnouncement extends HTMLElement {
  /** @type {number | undefined} */
  #timer;

  connectedCallback() {
    window.addEventListener("keydown", (event) => {
      if (isUnclear(event) && document.querySelector("time-announcement") === this) this.tell(UNCLEAR);
    });
  }

  say(/** @type {number} */ minutes) {
    this.tell(gettext("About {time} left in your session.", { time: duration(60 * minutes) }));
  }

  /** Says what an absence costs. @param {number} seconds  away @param {number} excused  in which no clock ran */
  tellAbsence(seconds, excused) {
    const away = gettext("The connection was lost for {time}.", { time: duration(seconds) });
    if (excused >= seconds - 1) this.tell(`${away} ${gettext("That time is not counted.")}`);
    else if (excused) this.tell(`${away} ${gettext("Not counted of that: {time}.", { time: duration(excused) })}`);
    else this.tell(`${away} ${gettext("That time is counted.")}`);
  }

  tell(/** @type {string} */ text) {
    this.#show(text);
    for (const other of document.querySelectorAll("time-announcement")) {
      if (other !== this && other instanceof TimeAnnouncement && other.parentElement?.checkVisibility()) other.#show(text);
    }
  }

  #show(/** @type {string} */ text) {
    this.textContent = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.replaceChildren(), SHOWN_MS);
  }
}

customElements.define("time-announcement", TimeAnnouncement);

/** What a page says about its connection, by its state and how long it has been without one. */
const STILL_TRYING_MS = 20_000;
const STILL_TRYING = gettext("Still trying. What you did is saved. Please tell a member of staff.");
/** @type {Readonly<Record<string, string>>} */
const TEXTS = Object.freeze({
  connecting: gettext("Connecting…"),
  reconnecting: gettext("Reconnecting…"),
  rebuilding: gettext("One moment…"),
});
/** States in which the page does not wait for the server. */
const SETTLED = new Set(["live", "superseded", "refused"]);

/** Event: `change` if the text has changed. */
export class ConnectionStatus extends EventTarget {
  text = "";
  /** @type {number | undefined} */
  #timer;
  #long = false;

  constructor() {
    super();
    this.update("connecting");
  }

  update(/** @type {import("./connection.js").ConnectionState} */ state) {
    if (SETTLED.has(state)) this.#settle();
    else this.#wait(state);
    this.dispatchEvent(new Event("change"));
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#long = false;
    this.text = "";
  }

  #wait(/** @type {string} */ state) {
    this.#timer ??= setTimeout(() => {
      this.#long = true;
      this.text = STILL_TRYING;
      this.dispatchEvent(new Event("change"));
    }, STILL_TRYING_MS);
    // While an answer is awaited the last text stays; there is always one.
    if (!this.#long) this.text = TEXTS[state] ?? (this.text || TEXTS.rebuilding);
  }
}

/** `<prompt-bar>`: asks at the soft limit whether to finish, below the board. */
/** Events: `finish`, after which it stays until somebody hides it; `continue`. */
export class PromptBar extends HTMLElement {
  connectedCallback() {
    this.#part(".finish").addEventListener("click", () => this.dispatchEvent(new Event("finish")));
    this.#part(".keep").addEventListener("click", () => {
      this.hidden = true;
      this.dispatchEvent(new Event("continue"));
    });
  }

  /** @param {number} spent  seconds here @param {number} left  seconds until it ends by itself */
  show(spent, left) {
    this.#part("p").textContent = gettext("You have spent {time} here.", { time: duration(spent) });
    this.#part(".keep").textContent = gettext("Keep going (up to {time})", { time: duration(left) });
    this.hidden = false;
  }

  #part(/** @type {string} */ selector) {
    return required(this, selector, HTMLElement);
  }
}

customElements.define("prompt-bar", PromptBar);

/** `<paused-cover>`: covers the page while staff have paused the session. What is under it keeps its place, its text and its focus. */
export class PausedCover extends HTMLElement {
  /** What had the focus when the page was covered. @type {Element | null} */
  #focused = null;

  connectedCallback() {
    if (!this.hidden) this.#cover();
  }

  /** Whether the page is covered, so that no press is meant for what is under it. */
  get shown() {
    return !this.hidden;
  }

  set shown(/** @type {boolean} */ shown) {
    if (shown === this.shown) return;
    this.hidden = !shown;
    if (shown) this.#cover();
    else this.#uncover();
  }

  #cover() {
    this.#focused = document.activeElement;
    this.#setInert(true);
    this.focus();
  }

  #uncover() {
    this.#setInert(false);
    if (this.#focused instanceof HTMLElement && this.#focused !== document.body) this.#focused.focus();
    this.#focused = null;
  }

  #setInert(/** @type {boolean} */ inert) {
    for (const part of document.body.children) {
      if (part instanceof HTMLElement && part !== this) part.inert = inert;
    }
  }
}

customElements.define("paused-cover", PausedCover);
