/** The participant's socket (docs/wire.md) as a state machine: what was last heard decides, nothing old is sent again. */

import { inflated, isDeflated } from "../shared/codec.js";

/**
 * @typedef {"connecting" | "waiting" | "live" | "rebuilding" | "reconnecting" | "superseded" | "refused"} ConnectionState
 * @typedef {import("../shared/codec.js").Turn} Turn
 */

/**
 * The next state after an event in a state; an event that is not listed changes nothing.
 * @type {Readonly<Record<ConnectionState, Record<string, ConnectionState>>>}
 */
const MOVES = Object.freeze({
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
const CLOSED_BECAUSE = Object.freeze({ 4001: "refused", 4009: "superseded" });
const TOO_MANY_MESSAGES = 4008;
const ASK_AGAIN_AFTER = new Set([
  "no_open_attempt", "wrong_attempt", "wrong_sequence", "not_now", "too_many_messages", "malformed_message",
]);
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;
const PING_EVERY_MS = 5000;
const SILENCE_MS = 10_000;
const ANSWER_WITHIN_MS = 5000;
const ASK_AT_MOST_EVERY_MS = 1000;

/**
 * Events: `state`; `sitting`, `prompt` and `refusal` with the message as detail; `turn` with a Turn as detail.
 * A message's event comes before the change of state it brings.
 */
export class Connection extends EventTarget {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  /** @type {number | null} when we began to wait for a word from the server */
  #silentSince = null;
  #pingedAt = 0;
  #askedAt = -Infinity;
  /** @type {number | undefined} */
  #askTimer;
  /** @type {number | undefined} */
  #answerTimer;
  /** What has been heard so far: a turn that is inflated first is not overtaken. @type {Promise<void>} */
  #heardSoFar = Promise.resolve();

  /**
   * @param {string} address  of the socket
   * @param {(buffer: ArrayBuffer) => Turn} decode  throws RangeError for bytes that cannot follow what was shown
   */
  constructor(address, decode) {
    super();
    this.address = address;
    this.decode = decode;
    setInterval(() => this.#tick(performance.now()), 1000);
  }

  open() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#silentSince = this.#pingedAt = performance.now();
    socket.onopen = () => this.#happened("opened");
    socket.onmessage = (event) => this.#take(socket, event.data);
    socket.onclose = (event) => this.#closed(event.code);
  }

  /** Make this window the sitting's one again. */
  takeBack() {
    this.#happened("takenBack");
    this.open();
  }

  /** Send a text message; dropped while there is no connection. */
  send(/** @type {object} */ message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Send an action. The caller has none on its way. */
  sendAction(/** @type {ArrayBuffer} */ buffer) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(buffer);
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.resync(), ANSWER_WITHIN_MS);
  }

  /** Ask where the sitting stands; nothing is live until the answer is here. */
  resync() {
    this.#happened("asked");
    clearTimeout(this.#askTimer);
    const wait = Math.max(0, this.#askedAt + ASK_AT_MOST_EVERY_MS - performance.now());
    this.#askTimer = setTimeout(() => {
      this.#askedAt = performance.now();
      this.send({ type: "resync" });
    }, wait);
  }

  #happened(/** @type {string} */ happening) {
    const next = MOVES[this.state][happening];
    if (!next) return;
    this.state = next;
    this.dispatchEvent(new Event("state"));
  }

  #tell(/** @type {string} */ type, /** @type {unknown} */ detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #take(/** @type {WebSocket} */ socket, /** @type {ArrayBuffer | string} */ data) {
    this.#silentSince = null;
    this.#heardSoFar = this.#heardSoFar.then(() => this.#hear(socket, data)).catch(reportError);
  }

  async #hear(/** @type {WebSocket} */ socket, /** @type {ArrayBuffer | string} */ data) {
    if (typeof data !== "string" && isDeflated(data)) data = await inflated(data).catch(() => data);
    if (socket === this.#socket) this.#heard(data);
  }

  #heard(/** @type {ArrayBuffer | string} */ data) {
    if (typeof data === "string") this.#heardText(JSON.parse(data));
    else this.#heardTurn(data);
  }

  #heardTurn(/** @type {ArrayBuffer} */ buffer) {
    clearTimeout(this.#answerTimer);
    let turn;
    try {
      turn = this.decode(buffer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.resync();
      return;
    }
    this.#tell("turn", turn);
    this.#happened("turn");
  }

  #heardText(/** @type {any} */ message) {
    if (message.type === "sitting") {
      this.#delay = FIRST_DELAY_MS;
      clearTimeout(this.#answerTimer);
      this.#tell("sitting", message);
      this.#happened(message.stage === "playing" ? "playing" : "settled");
    } else if (message.type === "rebuilding") {
      clearTimeout(this.#answerTimer);
      this.#happened("rebuilding");
    } else if (message.type === "prompt") {
      this.#tell("prompt", message);
    } else if (message.type === "error") {
      clearTimeout(this.#answerTimer);
      this.#tell("refusal", message);
      if (ASK_AGAIN_AFTER.has(message.code)) this.resync();
    }
  }

  #closed(/** @type {number} */ code) {
    this.#drop();
    if (code === TOO_MANY_MESSAGES) this.#delay = LONGEST_DELAY_MS;
    const happening = CLOSED_BECAUSE[code] ?? "lost";
    this.#happened(happening);
    if (happening === "lost") this.#openLater();
  }

  #drop() {
    clearTimeout(this.#answerTimer);
    clearTimeout(this.#askTimer);
    if (!this.#socket) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
    this.#silentSince = null;
  }

  #openLater() {
    setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(LONGEST_DELAY_MS, this.#delay * 2);
  }

  #tick(/** @type {number} */ now) {
    if (this.#socket === null) return;
    if (this.#silentSince !== null && now - this.#silentSince > SILENCE_MS) {
      this.#closed(0);
    } else if (this.#socket.readyState === WebSocket.OPEN && now - this.#pingedAt >= PING_EVERY_MS) {
      this.#pingedAt = now;
      this.#silentSince ??= now;
      this.send({ type: "ping" });
    }
  }
}
