/** Whose turn it is: one action on its way at a time, and what becomes of presses made meanwhile. */

import { ACTION, INPUT, STATE } from "./codec.js";
import { offers } from "./keys.js";

/**
 * @typedef {import("./presses.js").Press} Press
 * @typedef {import("./codec.js").Turn} Turn
 */

/** Events: `change` when what may be pressed has changed. */
export class TurnTaking extends EventTarget {
  /** Whether the server listens. */
  #live = false;
  /** The turn that is shown. @type {Turn | null} */
  turn = null;
  /** The action on its way. @type {Press | null} */
  #sent = null;
  /** The last press made while one was on its way. @type {Press | null} */
  #kept = null;
  #held = false;
  /** How long the last action took from press to painted frame; null when not known. @type {number | null} */
  #paintMs = null;
  /** The last action sent, which `#paintMs` is about. @type {Press | null} */
  #last = null;

  /**
   * @param {import("./board.js").PlayBoard} board
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

  /** Nothing pressed while not live is kept. */
  set live(/** @type {boolean} */ live) {
    this.#live = live;
    if (!live) this.#sent = this.#kept = null;
    this.#changed();
  }

  /** Whether the animation shown is seen to its end before anything can be done. */
  get held() {
    return this.#held;
  }

  /** What may be pressed now, bit i: action i. */
  get accepted() {
    if (!this.#live || this.#held || this.turn === null || this.turn.state === STATE.WON) return 0;
    const reset = 1 << ACTION.RESET;
    return this.turn.state === STATE.GAME_OVER ? reset : this.turn.available | reset;
  }

  take(/** @type {Press} */ press) {
    const repeated = press.input === INPUT.KEY_REPEAT;
    if (repeated && (this.#sent || this.board.animating || press.action === ACTION.RESET)) return;
    if (this.#held) this.board.hurry();
    if (!offers(this.accepted, press.action)) return;
    if (this.#sent) {
      this.#kept = press;
      return;
    }
    this.board.finish();
    this.#sent = this.#last = press;
    this.send(press, this.#paintMs);
    this.#paintMs = null;
  }

  /** Forget the environment that was shown. */
  clear() {
    this.turn = this.#sent = this.#kept = this.#paintMs = null;
    this.#held = false;
    this.#changed();
  }

  /** The server did not take the action that was on its way. */
  refused() {
    this.#sent = this.#kept = null;
  }

  show(/** @type {Turn} */ turn, /** @type {number} */ framesPerSecond) {
    const [answered, kept, offered] = [this.#sent, this.#kept, this.turn?.available];
    this.#sent = this.#kept = null;
    this.turn = turn;
    const ends = turn.levelCompleted || turn.state !== STATE.PLAYING;
    this.#held = ends && turn.frames.length > 1;
    this.board.show(turn.frames, framesPerSecond);
    if (answered) this.#measure(answered);
    this.#changed();
    if (kept && !ends && turn.available === offered) this.take(kept);
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
