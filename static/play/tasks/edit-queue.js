/** Draws edits before the server has stored them, sends them one after another, and gives way to the server's state. */

import { EditError, apply, looksSame, stateOf } from "./machine.js";

/** @import { Edit, Submissions, TaskContent, TaskMessage, TaskState } from "./types" */

/**
 * @typedef {object} Made  an edit and how it was made
 * @property {Edit} edit
 * @property {number} input  one of INPUT
 * @property {number} timeStamp
 * @property {number | null} screenAge  how long its screen could be seen then, in milliseconds
 * @property {boolean} [waited]  for the answer to the edit before it, or for the connection
 * @property {number} [paintMs]  from press to painted frame
 */

/**
 * Event: `change` if `state` or `waiting` has changed.
 *
 * One edit at a time is on its way, unless the page is left. Its answer, or the task that the server sends after a reconnection, says
 * whether it was stored: if not, it is sent again.
 */
export class EditQueue extends EventTarget {
  /** What is shown: the server's state with the edits that it has not confirmed. @type {TaskState} */
  state;
  /** @type {TaskState} */
  #confirmed;
  /** Edits without an answer, the oldest first; only the first one can be on its way. @type {Made[]} */
  #pending = [];
  #sent = false;
  #live = true;
  /** The number of the last entry that the server confirmed. */
  #sequence;

  /**
   * @param {TaskContent} task
   * @param {TaskMessage} message  the server's state
   * @param {number} sequence  of the last entry in that state
   * @param {(made: Made, sequence: number) => void} send
   */
  constructor(task, message, sequence, send) {
    super();
    this.task = task;
    this.send = send;
    this.#sequence = sequence;
    this.rule = ruleOf(message);
    this.state = this.#confirmed = stateOf(message);
  }

  /** While it is not live, nothing is sent; edits are still drawn and kept. */
  set live(/** @type {boolean} */ live) {
    this.#live = live;
    if (!live) this.#sent = false;
    this.#sendNext();
  }

  /** Whether the server has confirmed every edit. */
  get stored() {
    return this.#pending.length === 0;
  }

  /** Whether a submission awaits its answer: no edit is taken until then, because it may open another input. */
  get waiting() {
    return this.#pending.some(({ edit }) => edit.op === "submit");
  }

  /** Takes an edit; returns false if it cannot be performed now. @param {Made} made */
  take(made) {
    if (this.waiting) return false;
    try {
      this.state = apply(this.task, this.rule, this.state, made.edit);
    } catch (error) {
      if (error instanceof EditError) return false;
      throw error;
    }
    made.waited = !this.#live || this.#pending.length > 0;
    this.#pending.push(made);
    this.#sendNext();
    this.dispatchEvent(new Event("change"));
    return true;
  }

  /** The server stored the edit on its way; returns it. @param {number} sequence @param {TaskMessage} message @returns {Made | null} */
  edited(sequence, message) {
    if (sequence !== this.#sequence + 1 || this.#pending.length === 0) return null;
    const [made] = this.#pending.splice(0, 1);
    const { edit } = made;
    const expected = this.#after(this.#confirmed, edit);
    const received = stateOf(message);
    // Where both agree, this window keeps the grids that it can undo and redo without asking.
    const agreed = looksSame(expected, received) && edit.op !== "submit";
    this.#confirm(agreed ? expected : received, sequence);
    return made;
  }

  /** The server sent the whole task, after a reconnection or on request. @param {number} sequence @param {TaskMessage} message */
  received(sequence, message) {
    this.#pending.splice(0, Math.max(0, sequence - this.#sequence));
    this.rule = ruleOf(message);
    this.#confirm(stateOf(message), sequence);
  }

  /** The server refused the edit on its way: those after it were meant to follow it. */
  refused() {
    this.#pending = [];
    this.#confirm(this.#confirmed, this.#sequence);
  }

  /** The page is left: sends what waits for an answer too, since nobody will be there to send it later. */
  leave() {
    if (!this.#live) return;
    for (const [index, made] of this.#pending.entries()) if (index > 0 || !this.#sent) this.send(made, this.#sequence + 1 + index);
  }

  /** @param {TaskState} state @param {number} sequence */
  #confirm(state, sequence) {
    this.#confirmed = state;
    this.#sequence = sequence;
    this.#sent = false;
    this.state = this.#pending.reduce((before, { edit }) => this.#after(before, edit), state);
    this.#sendNext();
    this.dispatchEvent(new Event("change"));
  }

  /** The state after an edit, or the same one if it cannot be performed. @param {TaskState} state @param {Edit} edit */
  #after(state, edit) {
    try {
      return apply(this.task, this.rule, state, edit);
    } catch (error) {
      if (error instanceof EditError) return state;
      throw error;
    }
  }

  #sendNext() {
    if (!this.#live || this.#sent || this.#pending.length === 0) return;
    this.#sent = true;
    this.send(this.#pending[0], this.#sequence + 1);
  }
}

/** @param {TaskMessage} message @returns {Submissions} */
function ruleOf({ tries, most_submissions: most, feedback }) {
  return { tries, most, feedback };
}
