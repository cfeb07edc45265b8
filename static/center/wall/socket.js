/** The wall's socket (docs/wall.md): reconnects by itself, confirms what was drawn, says what is in view, and knows how old the picture is. */

/** @import { WallMessage } from "./types" */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;
/** The server says something every second; after this time without a word the connection is dead. */
const SILENCE_MS = 5000;
const NOT_ALLOWED = 4403;

/** Events: `message` with a WallMessage as detail, whose handler draws at once; `refused` when this person may not watch any more. */
export class WallSocket extends EventTarget {
  /** When the last message came, by `performance.now()`; null before the first. @type {number | null} */
  heardAt = null;
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  #openedAt = 0;
  /** @type {number[]} */
  #view = [];

  constructor(/** @type {string} */ address) {
    super();
    this.address = address;
    setInterval(() => this.#check(performance.now()), 1000);
    window.addEventListener("online", () => this.#lost());
  }

  open() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    this.#openedAt = performance.now();
    socket.onmessage = (event) => this.#receive(socket, JSON.parse(event.data));
    socket.onclose = (event) => (event.code === NOT_ALLOWED ? this.#refused() : this.#lost());
  }

  #receive(/** @type {WebSocket} */ socket, /** @type {WallMessage} */ message) {
    this.heardAt = performance.now();
    this.#delay = FIRST_DELAY_MS;
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
    socket.send(JSON.stringify({ type: "drawn", number: message.number }));
    if (message.type === "all") this.#sendView(); // the first message of a connection: it knows of no view yet
  }

  /** Says which sessions are on the screen; only they are told how play goes on. @param {number[]} sessions */
  see(sessions) {
    if (sessions.join() === this.#view.join()) return;
    this.#view = sessions;
    this.#sendView();
  }

  #sendView() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: "view", sessions: this.#view }));
  }

  #check(/** @type {number} */ now) {
    if (this.#socket && now - Math.max(this.#openedAt, this.heardAt ?? 0) > SILENCE_MS) this.#lost();
  }

  #lost() {
    if (!this.#disconnect()) return;
    setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(LONGEST_DELAY_MS, this.#delay * 2);
  }

  #refused() {
    this.#disconnect();
    this.dispatchEvent(new Event("refused"));
  }

  #disconnect() {
    if (this.#socket === null) return false;
    this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
    return true;
  }
}
