/** A static task as the page plays it: connects the editor with the socket. */

import { onDetail } from "../../shared/events.js";
import { EditQueue } from "./edit-queue.js";
import { isFinished } from "./machine.js";
import { TaskEditor } from "./task-editor.js";

/** @import { Connection } from "../connection.js" */
/** @import { IntentGate, Verdict } from "../turn-taking.js" */
/** @import { Made } from "./edit-queue.js" */
/** @import { TaskContent } from "./types" */
/** @import { EditedReceived, TaskReceived } from "../types" */

const LONGEST_MS = 0xfffe;

/** The page has an editor while a task is open. Event: `change` if what is shown has changed. */
export class TaskPlay extends EventTarget {
  /** @type {TaskEditor | null} */
  #editor = null;
  /** @type {EditQueue | null} */
  #queue = null;
  /** @type {TaskContent | null} */
  #content = null;
  #attempt = 0;
  #live = false;
  #patterns = false;
  /** The edit that was sent last, and the one before it. @type {(Made | null)[]} */
  #sent = [null, null];
  #sequence = 0;

  /** @param {Element} below  the editor stands above it @param {Connection} connection @param {IntentGate} gate */
  constructor(below, connection, gate) {
    super();
    this.below = below;
    this.connection = connection;
    this.gate = gate;
  }

  /** A key was pressed while the task can be worked on. @param {KeyboardEvent} event @param {Verdict} verdict */
  keyed(event, verdict) {
    this.#editor?.keyed(event, verdict);
  }

  focus() {
    this.#editor?.focus();
  }

  /** Whether a pattern is drawn on each colour. */
  set patterns(/** @type {boolean} */ wanted) {
    this.#patterns = wanted;
    if (this.#editor) this.#editor.patterns = wanted;
  }

  /** The state that is shown; null while no task is open. */
  get state() {
    return this.#queue?.state ?? null;
  }

  /** Whether the server has every edit. */
  get stored() {
    return this.#queue?.stored ?? true;
  }

  /** Whether every test input is closed. */
  get finished() {
    return this.state !== null && isFinished(this.state);
  }

  /** While it is not live, nothing is sent; edits are drawn and sent later. */
  set live(/** @type {boolean} */ live) {
    this.#live = live;
    if (this.#queue) this.#queue.live = live;
    if (!live) this.#editor?.close();
  }

  /** Shows the task that the server sent, and sends what it does not have yet. @param {TaskReceived} message */
  receive(message) {
    if (this.#queue && this.#attempt === message.attempt) {
      this.#queue.received(message.sequence, message.task);
      return;
    }
    this.#open();
    this.#attempt = message.attempt;
    this.#content = { demonstrations: message.demonstrations, tests: message.inputs.map((input) => ({ input })) };
    this.#queue = new EditQueue(this.#content, message.task, message.sequence, (made, sequence) => this.#send(made, sequence));
    this.#queue.addEventListener("change", () => this.#show());
    this.#queue.live = this.#live;
    this.#show();
  }

  /** @param {EditedReceived} message */
  edited(message) {
    const answered = message.attempt === this.#attempt ? this.#queue?.edited(message.sequence, message.task) : null;
    if (answered) measure(answered);
  }

  /** The page is left. */
  leave() {
    this.#queue?.leave();
  }

  /** The server refused the edit on its way. */
  refused() {
    this.#queue?.refused();
  }

  /** How long the last edit took, once, where no edit has said so yet. @returns {{sequence: number, paintMs: number} | null} */
  takeUnsaid() {
    const paintMs = this.#sent[0]?.paintMs;
    this.#sent = [null, null];
    return paintMs === undefined ? null : { sequence: this.#sequence, paintMs };
  }

  /** Forgets the task that was shown. */
  clear() {
    this.#editor?.remove();
    this.#editor = this.#queue = this.#content = null;
    this.#sent = [null, null];
    this.#attempt = 0;
  }

  /** Puts an editor on the page. */
  #open() {
    this.clear();
    const editor = new TaskEditor();
    editor.gate = this.gate;
    onDetail(editor, "edit", (/** @type {Made} */ made) => {
      const before = this.state;
      if (this.#queue?.take(made) && this.state !== before) measure(made);
    });
    this.below.before(editor);
    editor.patterns = this.#patterns;
    this.#editor = editor;
  }

  #show() {
    if (!this.#editor || !this.#queue || !this.#content) return;
    this.#editor.show(this.#content, this.#queue.rule, this.#queue.state, this.#queue.waiting);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Made} made @param {number} sequence */
  #send(made, sequence) {
    if (made !== this.#sent[0]) this.#sent = [made, this.#sent[0]];
    this.#sequence = sequence;
    const { edit, input, timeStamp, screenAge, waited } = made;
    this.connection.sendAction(JSON.stringify({
      type: "edit", attempt: this.#attempt, sequence, edit, input,
      client_time: performance.timeOrigin + timeStamp,
      previous_paint_ms: whole(this.#sent[1]?.paintMs ?? null),
      screen_age_ms: whole(screenAge),
      queued_ms: waited ? whole(performance.now() - timeStamp) : 0,
    }));
  }
}

/** How long an edit takes from press to painted frame: what is shown now is painted next. */
function measure(/** @type {Made} */ made) {
  requestAnimationFrame(() => {
    made.paintMs ??= performance.now() - made.timeStamp;
  });
}

/** Milliseconds as they are sent: the largest number also says that it was more. */
export function whole(/** @type {number | null} */ milliseconds) {
  return milliseconds === null ? null : Math.min(LONGEST_MS, Math.round(milliseconds));
}
