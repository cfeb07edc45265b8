/** The socket of an idle station (docs/stations.md): reconnects until it is open, and notices a server or a cable that is gone. */

/** @typedef {"connecting" | "ready" | "lost"} IdleState */

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8000;
/** Seldom, for the sake of a server with 1,000 stations: most losses show sooner, by a closed socket or `offline`. */
const PING_EVERY_MS = 25_000;
/** The server is gone if it sends nothing for so long after a ping, or does not open a connection. */
const SILENCE_MS = 5000;
const NO_STATION = 4001;

/** Events: `state`; `changed` when the page has to be loaded again. */
export class IdleConnection extends EventTarget {
  /** @type {IdleState} */
  state = "connecting";
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  /** @type {number | undefined} */
  #pingTimer;
  /** @type {number | undefined} */
  #silenceTimer;

  /** @param {string} address  of the socket */
  constructor(address) {
    super();
    this.address = address;
    window.addEventListener("offline", () => {
      if (this.#socket) this.#closed(0);
    });
  }

  open() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#closed(event.code);
    this.#expectMessage();
  }

  #receive(/** @type {{ type: string }} */ message) {
    clearTimeout(this.#silenceTimer);
    this.#delay = FIRST_DELAY_MS;
    if (message.type === "changed") this.dispatchEvent(new Event("changed"));
    else this.#become("ready");
    clearTimeout(this.#pingTimer);
    this.#pingTimer = setTimeout(() => this.#ping(), PING_EVERY_MS);
  }

  #ping() {
    this.#socket?.send(JSON.stringify({ type: "ping" }));
    this.#expectMessage();
  }

  #expectMessage() {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#closed(0), SILENCE_MS);
  }

  #closed(/** @type {number} */ code) {
    clearTimeout(this.#pingTimer);
    clearTimeout(this.#silenceTimer);
    if (this.#socket) {
      this.#socket.onmessage = this.#socket.onclose = null;
      this.#socket.close();
      this.#socket = null;
    }
    this.#become("lost");
    if (code === NO_STATION) {
      this.dispatchEvent(new Event("changed"));
      return;
    }
    // A whole room reconnects after a restart of the server, not all in the same moment.
    setTimeout(() => this.open(), this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(LONGEST_DELAY_MS, 2 * this.#delay);
  }

  #become(/** @type {IdleState} */ state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
