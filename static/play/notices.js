/** What is said over the board: the connection, the soft limit, an announcement, a pause. */

import { isUnclear } from "./keys.js";
import { duration } from "./progress.js";
import { gettext } from "../shared/catalogue.js";
import { required } from "../shared/required.js";

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
