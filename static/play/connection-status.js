/** What a page says about its connection, by its state and how long it has been without one. */

const STILL_TRYING_MS = 20_000;
const STILL_TRYING = "Still trying. What you did is saved. Please tell a member of staff.";
/** @type {Readonly<Record<string, string>>} */
const TEXTS = Object.freeze({
  connecting: "Connecting…",
  reconnecting: "Reconnecting…",
  rebuilding: "One moment…",
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
