/** Sends one action at a time, and queues or drops presses made before its answer. */

import { ACTION } from "../shared/actions.js";
import { INPUT, STATE } from "../shared/codec.js";
import { offers } from "./keys.js";

/** How many presses are queued: as many as a quick hand makes before it has seen the answer. */
const MOST_QUEUED = 3;
/** After this time an answer is late: the page says so, and takes no press until it arrives. */
const LATE_MS = 300;

/** @import { PlayBoard } from "../shared/board.js" */
/** @import { Turn } from "../shared/codec.js" */
/** @import { Press } from "./keys.js" */

/**
 * Events: `change` if what may be pressed has changed; `dropped` with a Press that will not be carried out.
 */
export class TurnTaking extends EventTarget {
  /** Whether the server takes actions. */
  #live = false;
  /** The turn that is shown. @type {Turn | null} */
  turn = null;
  /** The action whose answer is awaited. @type {Press | null} */
  #sent = null;
  /** Presses made since then, the oldest first. @type {Press[]} */
  #queue = [];
  #late = false;
  /** @type {number | undefined} */
  #lateTimer;
  #held = false;
  /** How long the last action took from press to painted frame; null when not known. @type {number | null} */
  #paintMs = null;
  /** The last action sent, which `#paintMs` is about. @type {Press | null} */
  #last = null;

  /**
   * @param {PlayBoard} board
   * @param {(press: Press, previousPaintMs: number | null) => void} send
   */
  constructor(board, send) {
    super();
    this.board = board;
    this.send = send;
    board.addEventListener("rest", () => {
      this.#held = false;
      this.#changed();
    });
  }

  /** While it is not live, presses are dropped. */
  set live(/** @type {boolean} */ live) {
    this.#live = live;
    if (!live) this.#drop(this.#clearSent());
    this.#changed();
  }

  /** Whether the answer to the last action is late. */
  get late() {
    return this.#late;
  }

  /** Whether the animation has to be seen to its end before the next action. */
  get held() {
    return this.#held;
  }

  /** The actions that may be pressed now, bit i: action i. */
  get accepted() {
    return this.#late ? 0 : this.#allowed;
  }

  /** The actions that the turn shown allows, even if an answer is late. */
  get #allowed() {
    if (!this.#live || this.#held || this.turn === null || this.turn.state === STATE.WON) return 0;
    const reset = 1 << ACTION.RESET;
    return this.turn.state === STATE.GAME_OVER ? reset : this.turn.available | reset;
  }

  take(/** @type {Press} */ press) {
    const repeated = press.input === INPUT.KEY_REPEAT;
    if (repeated && (this.#sent || this.board.animating || press.action === ACTION.RESET)) return;
    if (this.#held) this.board.hurry();
    if (!offers(this.#allowed, press.action)) return;
    if (this.#sent) {
      if (this.#late || this.#queue.length >= MOST_QUEUED) this.#drop([press]);
      else this.#queue.push(press);
      return;
    }
    this.board.finish();
    this.#sent = this.#last = press;
    this.#lateTimer = setTimeout(() => {
      this.#late = true;
      this.#changed();
    }, LATE_MS);
    this.send(press, this.#paintMs);
    this.#paintMs = null;
  }

  /** Forgets the environment that was shown. */
  clear() {
    this.#drop(this.#clearSent());
    this.turn = this.#paintMs = null;
    this.#held = false;
    this.#changed();
  }

  /** Drops the queue after a refusal: the presses in it were meant to follow the refused action. */
  refused() {
    this.#drop(this.#clearSent());
    this.#changed();
  }

  show(/** @type {Turn} */ turn, /** @type {number} */ framesPerSecond) {
    const [answered, offered] = [this.#sent, this.turn?.available];
    const queued = this.#clearSent();
    this.turn = turn;
    const ends = turn.levelCompleted || turn.state !== STATE.PLAYING;
    this.#held = ends && turn.frames.length > 1;
    this.board.show(turn.frames, framesPerSecond);
    if (answered) this.#measure(answered);
    this.#changed();
    if (ends || turn.available !== offered) this.#drop(queued);
    else this.#takeNext(queued);
  }

  /** Awaits no answer any more; returns the presses that were queued. */
  #clearSent() {
    clearTimeout(this.#lateTimer);
    const queued = this.#queue;
    [this.#sent, this.#queue, this.#late] = [null, [], false];
    return queued;
  }

  /** Takes the first of the queued presses; the others stay queued. */
  #takeNext(/** @type {Press[]} */ queued) {
    if (queued.length === 0) return;
    this.take(queued[0]);
    this.#queue = queued.slice(1);
  }

  #drop(/** @type {Press[]} */ presses) {
    for (const detail of presses) this.dispatchEvent(new CustomEvent("dropped", { detail }));
  }

  #measure(/** @type {Press} */ press) {
    requestAnimationFrame(() => {
      if (this.#last === press) this.#paintMs = performance.now() - press.timeStamp;
    });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
