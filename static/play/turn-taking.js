/** Sends one action at a time, and queues or drops presses made before its answer. */

import { ACTION } from "../shared/actions.js";
import { INPUT, STATE } from "../shared/codec.js";
import { offers } from "./keys.js";

/** How many presses are queued at least, and how many more for each second that answers take: as many as a quick hand makes. */
const LEAST_QUEUED = 3;
const QUEUED_A_SECOND = 8;
/** An answer is late, and the page says so, after this time and twice what answers take. */
const LATE_MS = 600;
/** How much the newest answer weighs in how long they take. */
const NEWEST = 0.25;

/** @import { PlayBoard } from "../shared/board.js" */
/** @import { IntentGate } from "./intent.js" */
/** @import { Turn } from "../shared/codec.js" */
/** @import { Press } from "./controls.js" */

/**
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
