/** Whose turn it is: one action on its way at a time, and what becomes of presses made meanwhile. */

import { ACTION } from "../shared/actions.js";
import { INPUT, STATE } from "../shared/codec.js";
import { offers } from "./keys.js";

/** So many presses wait while one is on its way: as many as a quick hand makes before it has seen the answer. */
const MOST_KEPT = 3;
/** From then on an answer is late: people are told, and nothing more is taken before it is here. */
const LATE_MS = 300;

/**
 * @typedef {import("./presses.js").Press} Press
 * @typedef {import("../shared/codec.js").Turn} Turn
 */

/**
 * Events: `change` when what may be pressed has changed; `dropped` with a Press as detail when it was made and will
 * not be carried out.
 */
export class TurnTaking extends EventTarget {
  /** Whether the server listens. */
  #live = false;
  /** The turn that is shown. @type {Turn | null} */
  turn = null;
  /** The action on its way. @type {Press | null} */
  #sent = null;
  /** Presses made while it was on its way, the oldest first. @type {Press[]} */
  #kept = [];
  #late = false;
  /** @type {number | undefined} */
  #lateTimer;
  #held = false;
  /** How long the last action took from press to painted frame; null when not known. @type {number | null} */
  #paintMs = null;
  /** The last action sent, which `#paintMs` is about. @type {Press | null} */
  #last = null;

  /**
   * @param {import("../shared/board.js").PlayBoard} board
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
    if (!live) this.#drop(this.#arrived());
    this.#changed();
  }

  /** Whether the answer to the last action is late. */
  get late() {
    return this.#late;
  }

  /** Whether the animation shown is seen to its end before anything can be done. */
  get held() {
    return this.#held;
  }

  /** What may be pressed now, bit i: action i. */
  get accepted() {
    return this.#late ? 0 : this.#allowed;
  }

  /** What may be pressed by what is shown, even if the answer to an action is late. */
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
      if (this.#late || this.#kept.length >= MOST_KEPT) this.#drop([press]);
      else this.#kept.push(press);
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

  /** Forget the environment that was shown. */
  clear() {
    this.#drop(this.#arrived());
    this.turn = this.#paintMs = null;
    this.#held = false;
    this.#changed();
  }

  /** The server did not take the action that was on its way, so what was to follow it means something else. */
  refused() {
    this.#drop(this.#arrived());
    this.#changed();
  }

  show(/** @type {Turn} */ turn, /** @type {number} */ framesPerSecond) {
    const [answered, offered] = [this.#sent, this.turn?.available];
    const kept = this.#arrived();
    this.turn = turn;
    const ends = turn.levelCompleted || turn.state !== STATE.PLAYING;
    this.#held = ends && turn.frames.length > 1;
    this.board.show(turn.frames, framesPerSecond);
    if (answered) this.#measure(answered);
    this.#changed();
    if (ends || turn.available !== offered) this.#drop(kept);
    else this.#goOn(kept);
  }

  /** Nothing is on its way any more; the presses that waited for it. */
  #arrived() {
    clearTimeout(this.#lateTimer);
    const kept = this.#kept;
    [this.#sent, this.#kept, this.#late] = [null, [], false];
    return kept;
  }

  /** Make the first of the presses that waited; the others wait on. */
  #goOn(/** @type {Press[]} */ kept) {
    if (kept.length === 0) return;
    this.take(kept[0]);
    this.#kept = kept.slice(1);
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
