/** What a page says about its connection, and how long it has been without one. */

const STILL_TRYING_MS = 20_000;
const STILL_TRYING = "Still trying. What you did is saved. Please tell a member of staff.";
/** @type {Readonly<Record<string, string>>} */
const SAYINGS = Object.freeze({
  connecting: "Connecting…",
  reconnecting: "Reconnecting…",
  rebuilding: "One moment…",
});
/** States in which nobody waits for the server. */
const SETTLED = new Set(["live", "superseded", "refused"]);

/** Event: `change` when other words hold. */
export class ConnectionWords extends EventTarget {
  text = "";
  /** @type {number | undefined} */
  #timer;
  #long = false;

  constructor() {
    super();
    this.hear("connecting");
  }

  hear(/** @type {import("./connection.js").ConnectionState} */ state) {
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
    // While the server's answer is awaited the last words hold, and there are words in any case.
    if (!this.#long) this.text = SAYINGS[state] ?? (this.text || SAYINGS.rebuilding);
  }
}
