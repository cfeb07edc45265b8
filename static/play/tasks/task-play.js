/** A static task as the page plays it: connects the editor with the socket. */

import { EditQueue } from "./edit-queue.js";
import { isFinished } from "./machine.js";
import { TaskEditor } from "./task-editor.js";

/** @import { Connection } from "../connection.js" */
/** @import { Made } from "./edit-queue.js" */
/** @import { TaskContent } from "./types" */
/** @import { EditedReceived, TaskReceived } from "../types" */

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
  /** How long the last edit took from press to painted frame; null when not known. @type {number | null} */
  #paintMs = null;

  /** @param {Element} below  the editor stands above it @param {Connection} connection */
  constructor(below, connection) {
    super();
    this.below = below;
    this.connection = connection;
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
    if (message.attempt === this.#attempt) this.#queue?.edited(message.sequence, message.task);
  }

  /** The server refused the edit on its way. */
  refused() {
    this.#queue?.refused();
  }

  /** Forgets the task that was shown. */
  clear() {
    this.#editor?.remove();
    this.#editor = this.#queue = this.#content = this.#paintMs = null;
    this.#attempt = 0;
  }

  /** Puts an editor on the page. */
  #open() {
    this.clear();
    const editor = new TaskEditor();
    editor.addEventListener("edit", (event) => {
      if (event instanceof CustomEvent && this.#queue?.take(event.detail)) this.#measure(event.detail.timeStamp);
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
  #send({ edit, input, timeStamp }, sequence) {
    const time = performance.timeOrigin + timeStamp;
    const paint = this.#paintMs === null ? null : Math.min(60_000, Math.round(this.#paintMs));
    this.#paintMs = null;
    this.connection.sendEdit({ type: "edit", attempt: this.#attempt, sequence, edit, input, client_time: time, previous_paint_ms: paint });
  }

  #measure(/** @type {number} */ timeStamp) {
    requestAnimationFrame(() => {
      this.#paintMs = performance.now() - timeStamp;
    });
  }
}
