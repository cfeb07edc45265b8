/** The participant's socket (docs/wire.md) as a state machine. The last message of the server decides; nothing old is sent again. */

import { inflated, isDeflated } from "../shared/codec.js";

/** @import { ServerMessage } from "./types" */

/**
 * @typedef {"connecting" | "waiting" | "live" | "rebuilding" | "reconnecting" | "superseded" | "refused"} ConnectionState
 * @typedef {import("../shared/codec.js").Turn} Turn
 */

/**
 * The next state after an event in a state; an event that is not listed changes nothing.
 * @type {Readonly<Record<ConnectionState, Record<string, ConnectionState>>>}
 */
const TRANSITIONS = Object.freeze({
  connecting: { opened: "waiting", lost: "reconnecting", superseded: "superseded", refused: "refused" },
  waiting: {
    turn: "live", settled: "live", rebuilding: "rebuilding",
    lost: "reconnecting", superseded: "superseded", refused: "refused",
  },
  rebuilding: {
    turn: "live", settled: "live", playing: "waiting",
    lost: "reconnecting", superseded: "superseded", refused: "refused",
  },
  live: {
    playing: "waiting", rebuilding: "rebuilding", asked: "waiting",
    lost: "reconnecting", superseded: "superseded", refused: "refused",
  },
  reconnecting: { opened: "waiting", superseded: "superseded", refused: "refused" },
  superseded: { takenBack: "connecting" },
  refused: {},
});

/** Events of the close codes that mean more than a lost connection. @type {Readonly<Record<number, string>>} */
const CLOSE_EVENTS = Object.freeze({ 4001: "refused", 4009: "superseded" });
const TOO_MANY_MESSAGES = 4008;
const ASK_AGAIN_AFTER = new Set([
  "no_open_attempt", "wrong_attempt", "wrong_sequence", "not_now", "too_many_messages", "malformed_message",
]);
/** Where a browser's pages keep the newest claim: each page that wants to play makes a higher one. */
const CLAIM = "play-claim";
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 500;
/** A page that has said too much comes back later. */
const REFUSED_DELAY_MS = 4000;
const PING_EVERY_MS = 5000;
/** The server is gone if it sends nothing for so long after a ping. */
const SILENCE_MS = 10_000;
/** The answer to a ping, as it is on the wire: it is timed before earlier messages are handled. */
const PONG = '{"type": "pong"}';
const LONGEST_ROUND_TRIP_MS = 60_000;
const ANSWER_WITHIN_MS = 5000;
const ASK_AT_MOST_EVERY_MS = 1000;

/**
 * Events: `state`; `session`, `task`, `edited`, `prompt`, `announcement`, `absence` and `refusal` with the message as detail.
 * A message's event comes, and a turn is shown, before the change of state it brings.
 */
export class Connection extends EventTarget {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  /** Since when a message of the server is awaited; null if none is. @type {number | null} */
  #awaitingSince = null;
  #pingedAt = 0;
  /** How long the last answer to a ping took on this connection; null before one. @type {number | null} */
  #roundTrip = null;
  #askedAt = -Infinity;
  /** What tells this page from others, and from its own earlier connections (docs/wire.md). */
  #page = "";
  #opened = 0;
  /** @type {number | undefined} */
  #askTimer;
  /** @type {number | undefined} */
  #answerTimer;
  /** The messages handled so far: none overtakes a turn that has to be inflated first. @type {Promise<void>} */
  #handled = Promise.resolve();

  /**
   * @param {string} address  of the socket
   * @param {(buffer: ArrayBuffer) => Turn} decode  throws RangeError for bytes that cannot follow what was shown
   * @param {(turn: Turn) => void} show
   */
  constructor(address, decode, show) {
    super();
    this.address = address;
    this.decode = decode;
    this.show = show;
    this.claim();
    setInterval(() => this.#tick(performance.now()), 1000);
  }

  open() {
    this.#opened += 1;
    const socket = new WebSocket(`${this.address}?page=${this.#page}-${this.#opened}`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#awaitingSince = this.#pingedAt = performance.now();
    this.#roundTrip = null;
    socket.onopen = () => this.#transition("opened");
    socket.onmessage = (event) => this.#receive(socket, event.data);
    socket.onclose = (event) => this.#closed(event.code);
  }

  /** Makes this page, from its next connection on, newer than all others of this browser. */
  claim() {
    const made = Math.max(Date.now(), newestClaim() + 1);
    keepClaim(made);
    this.#page = `${made}-${Math.random().toString(36).slice(2).padEnd(8, "0")}`;
  }

  /** Makes this window the one that plays. */
  takeBack() {
    this.claim();
    this.#opened = 0;
    this.#transition("takenBack");
    this.open();
  }

  /** Sends a text message; it is dropped while there is no connection. */
  send(/** @type {object} */ message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Sends an action, or an edit of a static task. The caller waits for its answer before the next. */
  sendAction(/** @type {ArrayBuffer | string} */ data) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(data);
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.resync(), ANSWER_WITHIN_MS);
  }

  /** Asks for the state of the session; nothing is live until the answer arrives. */
  resync() {
    this.#transition("asked");
    clearTimeout(this.#askTimer);
    const wait = Math.max(0, this.#askedAt + ASK_AT_MOST_EVERY_MS - performance.now());
    this.#askTimer = setTimeout(() => {
      this.#askedAt = performance.now();
      this.send({ type: "resync" });
    }, wait);
  }

  #transition(/** @type {string} */ event) {
    const next = TRANSITIONS[this.state][event];
    if (!next) return;
    this.state = next;
    this.dispatchEvent(new Event("state"));
  }

  #dispatch(/** @type {string} */ type, /** @type {unknown} */ detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #receive(/** @type {WebSocket} */ socket, /** @type {ArrayBuffer | string} */ data) {
    this.#awaitingSince = null;
    if (data === PONG) this.#roundTrip = Math.min(LONGEST_ROUND_TRIP_MS, Math.round(performance.now() - this.#pingedAt));
    this.#handled = this.#handled.then(() => this.#handle(socket, data)).catch(reportError);
  }

  async #handle(/** @type {WebSocket} */ socket, /** @type {ArrayBuffer | string} */ data) {
    if (typeof data !== "string" && isDeflated(data)) data = await inflated(data).catch(() => data);
    if (socket !== this.#socket) return;
    if (typeof data === "string") this.#handleMessage(JSON.parse(data));
    else this.#handleTurn(data);
  }

  #handleTurn(/** @type {ArrayBuffer} */ buffer) {
    clearTimeout(this.#answerTimer);
    let turn;
    try {
      turn = this.decode(buffer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.resync();
      return;
    }
    this.show(turn);
    this.#transition("turn");
  }

  #handleMessage(/** @type {ServerMessage} */ message) {
    if (message.type === "session") {
      this.#delay = FIRST_DELAY_MS;
      clearTimeout(this.#answerTimer);
      this.#dispatch("session", message);
      // No turn follows during a pause.
      this.#transition(message.stage === "playing" && !message.paused ? "playing" : "settled");
    } else if (message.type === "task" || message.type === "edited") {
      clearTimeout(this.#answerTimer);
      this.#dispatch(message.type, message);
      if (message.type === "task") this.#transition("turn");
    } else if (message.type === "rebuilding") {
      clearTimeout(this.#answerTimer);
      this.#transition("rebuilding");
    } else if (message.type === "prompt" || message.type === "announcement" || message.type === "absence") {
      this.#dispatch(message.type, message);
    } else if (message.type === "probe") {
      this.#ping(performance.now());
    } else if (message.type === "error") {
      clearTimeout(this.#answerTimer);
      this.#dispatch("refusal", message);
      if (ASK_AGAIN_AFTER.has(message.code)) this.resync();
    }
  }

  #closed(/** @type {number} */ code) {
    this.#disconnect();
    if (code === TOO_MANY_MESSAGES) this.#delay = REFUSED_DELAY_MS;
    const event = CLOSE_EVENTS[code] ?? "lost";
    this.#transition(event);
    if (event === "lost") this.#openLater();
  }

  #disconnect() {
    clearTimeout(this.#answerTimer);
    clearTimeout(this.#askTimer);
    if (!this.#socket) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
    this.#awaitingSince = null;
  }

  #openLater() {
    setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(LONGEST_DELAY_MS, this.#delay * 2);
  }

  #tick(/** @type {number} */ now) {
    if (this.#socket === null) return;
    if (this.#awaitingSince !== null && now - this.#awaitingSince > SILENCE_MS) {
      this.#closed(0);
    } else if (this.#socket.readyState === WebSocket.OPEN && now - this.#pingedAt >= PING_EVERY_MS) {
      this.#ping(now);
    }
  }

  #ping(/** @type {number} */ now) {
    this.#pingedAt = now;
    this.#awaitingSince ??= now;
    this.send(this.#roundTrip === null ? { type: "ping" } : { type: "ping", round_trip_ms: this.#roundTrip });
  }
}

/** The newest claim of this browser's pages; 0 where it keeps nothing. */
function newestClaim() {
  try {
    return Number(localStorage.getItem(CLAIM)) || 0;
  } catch {
    return 0;
  }
}

function keepClaim(/** @type {number} */ claim) {
  try {
    localStorage.setItem(CLAIM, String(claim));
  } catch { /* then the browser's clock alone puts pages in order */ }
}
