/**
 * Which presses count, and which of them become actions: the intent gate, and one action at a time.
 *
 * The gate: nothing counts that a person did before they could see the screen it acts on. Pure. A screen is what the next press acts
 * on: a page, a level, its state, a dialog. Times are those of events, in milliseconds of `performance.now()`.
 */

import { ACTION } from "../shared/actions.js";
import { INPUT, STATE } from "../shared/codec.js";
import { offers } from "./keys.js";

/** @import { PlayBoard } from "../shared/board.js" */
/** @import { Turn } from "../shared/codec.js" */
/** @import { Press } from "./controls.js" */

/** A held key repeats at most so often. */
export const REPEAT_MS = 125;
/** A button that cannot be undone waits until hands have rested for so long. */
export const REST_MS = 600;
/**
 * So soon after a button of the page the board is met by the second press of a double click; and so long a new screen is met by
 * presses that go on at one place.
 */
const DOUBLE_MS = 500;

/**
 * What a press is: `press` and `repeat` count; `early` was made before its screen could be seen; `held` is a key that
 * was not released since another screen, or repeats too fast.
 * @typedef {"press" | "repeat" | "early" | "held"} Verdict
 */

export class IntentGate {
  /** Counts screens. */
  #screen = 0;
  /** Since when the screen can be seen; Infinity until it is painted. */
  #visibleSince = Infinity;
  /** The keys that are down, each with the screen on which it was pressed and when it last counted. @type {Map<string, {screen: number, at: number}>} */
  #down = new Map();
  #lastPress = -Infinity;
  #lastButton = -Infinity;
  /** The last press of the board or of a control, and the screen that it was meant for. */
  #lastAim = { place: "", at: -Infinity, screen: 0 };

  /** Another screen begins: until it can be seen, nothing counts. */
  change() {
    this.#screen += 1;
    this.#visibleSince = Infinity;
  }

  /** The screen is painted. */
  visible(/** @type {number} */ at) {
    if (this.#visibleSince === Infinity) this.#visibleSince = at;
  }

  /** @param {string} code  of the key @param {number} at @param {boolean} repeats  as the browser says @returns {Verdict} */
  key(code, at, repeats) {
    this.#lastPress = Math.max(this.#lastPress, at);
    if (repeats) return this.#repeat(code, at);
    const verdict = this.#verdict(at);
    this.#down.set(code, { screen: verdict === "press" ? this.#screen : -1, at });
    return verdict;
  }

  /** A pointer, a button or assistive technology presses. @returns {Verdict} */
  pointer(/** @type {number} */ at) {
    this.#lastPress = Math.max(this.#lastPress, at);
    return this.#verdict(at);
  }

  /** A pointer presses a button of the page, which may bring another screen. */
  button(/** @type {number} */ at) {
    this.#lastButton = at;
  }

  /**
   * A pointer presses the board or a control of it, at `place`; it came down at `began` where it acts when it is lifted.
   * @param {number} at @param {number} began @param {string} place @returns {Verdict}
   */
  board(at, began, place) {
    const verdict = this.pointer(at);
    const [last, sinceSeen] = [this.#lastAim, began - this.#visibleSince];
    const goesOn = last.place === place && last.screen !== this.#screen && began - last.at < DOUBLE_MS && sinceSeen < DOUBLE_MS;
    const isEarly = goesOn || sinceSeen < 0 || began - this.#lastButton < DOUBLE_MS;
    this.#lastAim = { place, at, screen: isEarly ? -1 : this.#screen };
    return isEarly ? "early" : verdict;
  }

  release(/** @type {string} */ code) {
    this.#down.delete(code);
  }

  /** The window has lost the keyboard: no key is known to be down. */
  releaseAll() {
    this.#down.clear();
  }

  /** How long the screen could be seen at this moment, or null before that. */
  age(/** @type {number} */ at) {
    return at < this.#visibleSince ? null : at - this.#visibleSince;
  }

  /** How long hands have yet to rest from this moment until a button may be pressed that cannot be undone. */
  restIn(/** @type {number} */ at) {
    return Math.max(0, Math.max(this.#lastPress, this.#visibleSince) + REST_MS - at);
  }

  /** @returns {Verdict} */
  #verdict(/** @type {number} */ at) {
    return at < this.#visibleSince ? "early" : "press";
  }

  /** @returns {Verdict} */
  #repeat(/** @type {string} */ code, /** @type {number} */ at) {
    const key = this.#down.get(code);
    if (key?.screen !== this.#screen || at - key.at < REPEAT_MS) return "held";
    key.at = at;
    return "repeat";
  }
}

/** How many presses are queued at least, and how many more for each second that answers take: as many as a quick hand makes. */
const LEAST_QUEUED = 3;
const QUEUED_A_SECOND = 8;
/** An answer is late, and the page says so, after this time and twice what answers take. */
const LATE_MS = 600;
/** How much the newest answer weighs in how long they take. */
const NEWEST = 0.25;

/**
 * Sends one action at a time, and queues or drops presses made before its answer.
 *
 * Events: `change` if what may be pressed has changed; `dropped` with a Press that will not be carried out; `shown` when the turn is
 * painted to its end.
 */
export class TurnTaking extends EventTarget {
  /** Whether the server takes actions. */
  #live = false;
  /** The turn that is shown. @type {Turn | null} */
  turn = null;
  /** The action whose answer is awaited. @type {Press | null} */
  #sent = null;
  #sentAt = 0;
  /** How long answers take, in milliseconds. */
  #answerMs = 0;
  /** Presses made since then, the oldest first. @type {Press[]} */
  #queue = [];
  /** Whether the answer to the last action is late. */
  late = false;
  /** @type {number | undefined} */
  #lateTimer;
  /** Whether the animation has to be seen to its end before the next action. */
  held = false;
  /** How long the last action took from press to painted frame; null when not known. @type {number | null} */
  #paintMs = null;

  /** Whether the turn shown is another screen. */
  #begins = false;
  /** Whether it is still to be painted: a press has to wait for that, too, so that each is measured. */
  #painting = false;

  /**
   * @param {PlayBoard} board
   * @param {IntentGate} gate
   * @param {(press: Press, measured: {previousPaintMs: number | null, queuedMs: number}) => void} send
   */
  constructor(board, gate, send) {
    super();
    this.board = board;
    this.gate = gate;
    this.send = send;
    board.addEventListener("rest", () => {
      if (!this.held) return;
      this.held = false;
      this.#changed();
      requestAnimationFrame(() => this.#seen());
    });
  }

  /** While it is not live, presses are dropped. */
  set live(/** @type {boolean} */ live) {
    this.#live = live;
    if (!live) this.#forget();
    this.#changed();
  }

  /** The actions that may be pressed now, bit i: action i. */
  get accepted() {
    return this.#queue.length < this.#mostQueued ? this.#allowed : 0;
  }

  /** How many presses may wait for an answer. */
  get #mostQueued() {
    return LEAST_QUEUED + Math.floor((this.#answerMs * QUEUED_A_SECOND) / 1000);
  }

  /** The actions that the turn shown allows, even if the queue is full. */
  get #allowed() {
    if (!this.#live || this.held || this.turn === null || this.turn.state === STATE.WON) return 0;
    const reset = 1 << ACTION.RESET;
    return this.turn.state === STATE.GAME_OVER ? reset : this.turn.available | reset;
  }

  /** A press that was meant for what is shown, as the gate says. Returns whether it is sent, now or after others. */
  take(/** @type {Press} */ press) {
    const repeated = press.input === INPUT.KEY_REPEAT;
    if (repeated && (this.#sent || this.board.animating || press.action === ACTION.RESET)) return false;
    if (this.held) this.board.finish();
    else if (offers(this.#allowed, press.action)) return this.#sent || this.#painting ? this.#enqueue(press) : this.#carryOut(press);
    return false;
  }

  /** Shows that a press does not count, and the rest of an animation at once. */
  refuse(/** @type {Press} */ press) {
    if (this.held) this.board.finish();
    this.#drop([press]);
  }

  #enqueue(/** @type {Press} */ press) {
    const hasRoom = this.#queue.length < this.#mostQueued;
    if (hasRoom) this.#queue.push({ ...press, waited: true });
    else this.#drop([press]);
    this.#changed();
    return hasRoom;
  }

  #carryOut(/** @type {Press} */ press) {
    this.board.finish();
    this.#sent = press;
    this.#sentAt = performance.now();
    this.#lateTimer = setTimeout(() => {
      this.late = true;
      this.#changed();
    }, LATE_MS + 2 * this.#answerMs);
    this.send(press, { previousPaintMs: this.#paintMs, queuedMs: press.waited ? this.#sentAt - press.timeStamp : 0 });
    this.#paintMs = null;
    return true;
  }

  /** How long the last action took, once, where no action has said so yet. @returns {{sequence: number, paintMs: number} | null} */
  takeUnsaid() {
    const paintMs = this.#paintMs;
    this.#paintMs = null;
    return paintMs === null || this.turn === null ? null : { sequence: this.turn.sequence, paintMs };
  }

  /** Forgets the environment that was shown. */
  clear() {
    this.#forget();
    this.turn = this.#paintMs = null;
    this.held = this.#painting = false;
    this.#changed();
  }

  /** Drops the queue after a refusal: the presses in it were meant to follow the refused action. */
  refused() {
    this.#forget();
    this.#changed();
  }

  show(/** @type {Turn} */ turn, /** @type {number} */ framesPerSecond) {
    const [answered, before] = [this.#sent, this.turn];
    if (answered) this.#answerMs += NEWEST * (performance.now() - this.#sentAt - this.#answerMs);
    const ends = turn.levelCompleted || turn.state !== STATE.PLAYING;
    this.#begins = ends || before === null || turn.resync || turn.available !== before.available || turn.state !== before.state;
    if (this.#begins) {
      this.gate.change();
      this.#drop(this.#queue.splice(0));
    }
    this.#awaitNothing();
    this.turn = turn;
    this.#painting = true;
    this.board.show(turn.frames, framesPerSecond);
    this.held = ends && this.board.animating;
    this.#changed();
    requestAnimationFrame(() => this.#painted(answered));
  }

  /** The first frame of the turn is painted, which answers this press. */
  #painted(/** @type {Press | null} */ answered) {
    if (!this.#painting) return;
    this.#painting = false;
    if (answered) this.#paintMs = performance.now() - answered.timeStamp;
    if (!this.held) this.#seen();
    const next = this.#queue.shift();
    if (next) this.#carryOut(next);
  }

  /** What is shown is painted. */
  #seen() {
    if (this.turn === null) return;
    if (this.#begins) this.gate.visible(performance.now());
    this.dispatchEvent(new Event("shown"));
  }

  #awaitNothing() {
    clearTimeout(this.#lateTimer);
    [this.#sent, this.late] = [null, false];
  }

  /** Awaits no answer any more, and drops what was queued. */
  #forget() {
    this.#awaitNothing();
    this.#drop(this.#queue.splice(0));
  }

  #drop(/** @type {Press[]} */ presses) {
    for (const detail of presses) this.dispatchEvent(new CustomEvent("dropped", { detail }));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
