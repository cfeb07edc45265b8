/** When a press on Submit is a submission, which cannot be taken back. Pure. */

import { blank, isSame } from "./grids.js";
import { START_SIZE } from "./machine.js";

/** @import { IntentGate } from "../turn-taking.js" */
/** @import { InputState, Submissions } from "./types" */

/**
 * `send` it; ask first, because the grid is `untouched` or the same `again`; it is `repeated`, which the server refuses; or `rest`: it may
 * be one press too many of those for the screen before.
 * @typedef {"send" | "untouched" | "again" | "repeated" | "rest"} Decision
 */

export class Submitting {
  /** Whether the screen came without a press for it, and hands have neither rested nor edited since. */
  #resting = true;

  constructor(/** @type {IntentGate} */ gate) {
    this.gate = gate;
  }

  /** A screen came that nobody pressed for: an answer, perhaps with another test input. */
  came() {
    this.#resting = true;
  }

  /** Something was edited, so the screen was seen. */
  edited() {
    this.#resting = false;
  }

  /** How long hands have yet to rest, in milliseconds; 0 once they have, until the next screen. */
  restIn(/** @type {number} */ at) {
    if (this.#resting && this.gate.restIn(at) <= 0) this.#resting = false;
    return this.#resting ? this.gate.restIn(at) : 0;
  }

  /** What a press on Submit does that the gate lets pass. @param {Submissions} rule @param {InputState} now @returns {Decision} */
  decide(rule, { grid, submitted }) {
    if (this.#resting) return "rest";
    if (submitted && isSame(grid, submitted)) return rule.feedback ? "repeated" : "again";
    return isSame(grid, blank(START_SIZE, START_SIZE)) ? "untouched" : "send";
  }
}
