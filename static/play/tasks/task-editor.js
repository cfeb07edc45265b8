/** `<task-editor>`: the demonstrations, the test input, and the output grid with all that edits it. */

import { INPUT } from "../../shared/codec.js";
import { onDetail } from "../../shared/events.js";
import { IntentGate } from "../turn-taking.js";
import { anotherScreen, timeOf, untilRested } from "../controls.js";
import { KEY_LINE, REPEATED, meaning } from "./editor-keys.js";
import { cellFor, enlargedCellFor } from "./fit.js";
import { TaskGrid } from "./grid-view.js";
import { CAPTION, caption, div, examples, gridsIn, roomOf, triesLeft, unusable, verdictOn } from "./editor-parts.js";
import { COLOUR_NAMES, LARGEST, position, withCells } from "./grids.js";
import { listenToPointers, paintEdits, rectangleOf } from "./pointers.js";
import { SubmitQuestion } from "./submit-question.js";
import { Submitting } from "./submitting.js";
import { InputTabs } from "./tabs.js";
import { TaskTools } from "./tools.js";
import { gettext } from "../../shared/catalogue.js";

/** @import { Verdict } from "../turn-taking.js" */
/** @import { Edit, Part, Submissions, TaskContent, TaskState } from "./types" */
/** @import { Command, Move } from "./editor-keys.js" */
/** @import { Cell } from "./pointers.js" */
/** @import { Tool } from "./tools.js" */

const REPEATED_GRID = gettext("You submitted this grid already: change it first.");
const GAPS = { inside: 20, between: 16, above: CAPTION, least: 130 };
/** Between two grids that are enlarged, with the arrow there. */
const BETWEEN_ENLARGED = 40;

/**
 * Events: `edit` with detail `{edit, input, timeStamp, screenAge}` (`Made`), where input is one of INPUT; `used` with the name of the
 * tool. Whoever listens answers with `show`, and passes keys on to `keyed`.
 */
export class TaskEditor extends HTMLElement {
  gate = new IntentGate();
  /** @type {Submitting} */
  #submitting = new Submitting(this.gate);
  #question = new SubmitQuestion();
  /** What is said about a press on Submit that submits nothing. */
  #note = "";
  #stopWaiting = () => {};
  /** @type {Tool} */
  #tool = "paint";
  #colour = 1;
  /** What a paste lays down. @type {Part | null} */
  #part = null;
  #examples = div("task-examples", "group", gettext("Demonstrations and test input"));
  #tabs = new InputTabs();
  #place = div("task-output", "group", gettext("Your answer"));
  #output = new TaskGrid();
  #tools = new TaskTools();
  #spoken = div("task-spoken", "status");
  #verdict = div("task-verdict", "status");
  /** @type {TaskGrid[]} in the order in which G goes through them; the output grid is the first */
  #grids = [this.#output];
  #focused = 0;
  /** @type {Cell} */
  #cursor = { row: 0, column: 0 };
  /** @type {Cell | null} */
  #anchor = null;
  /** @type {TaskContent | null} */
  #task = null;
  /** @type {TaskState | null} */
  #state = null;
  #rule = { tries: 2, most: 2, feedback: true };
  #waiting = false;
  /** Whether the last edit of this window was a submission: its verdict would hide cells from the next edit. */
  #submitted = false;
  #patterns = false;
  #observer = new ResizeObserver(() => this.#fit());

  connectedCallback() {
    this.#output.place = { from: "output" };
    this.#output.tabIndex = 0;
    this.#output.setAttribute("role", "application");
    this.#place.append(caption(gettext("Your answer")), this.#output, this.#verdict);
    this.addEventListener("click", ({ target, timeStamp }) => {
      const button = target instanceof Element ? target.closest(".task-zoom") : null;
      if (button && this.#counts(timeStamp)) this.#enlarge(button.parentElement);
    });
    const keys = Object.assign(document.createElement("p"), { className: "task-keys", textContent: KEY_LINE });
    this.replaceChildren(this.#examples, this.#tabs, this.#place, this.#tools, keys, this.#spoken, this.#question);
    this.#observer.observe(this.#examples);
    this.#observer.observe(this.#place);
    listenToPointers(this, {
      counts: (timeStamp) => this.#counts(timeStamp),
      grip: (on, cell) => this.#grip(on, cell),
      preview: (cells, last) => this.#preview(cells, last),
      painted: (...stroke) => this.#painted(...stroke),
      select: (from, one, other) => this.#select(from, one, other),
      chosen: () => this.#chosen(),
      use: (...press) => this.#use(...press),
    });
    this.#submitting = new Submitting(this.gate);
    window.addEventListener("click", this.#clicked);
    onDetail(this.#question, "confirm", (/** @type {{timeStamp: number}} */ { timeStamp }) => {
      this.#edit({ op: "submit" }, INPUT.BUTTON, timeStamp);
    });
    this.#question.addEventListener("close", () => this.focus());
    onDetail(this.#tools, "command", (/** @type {{command: Command, timeStamp: number}} */ { command, timeStamp }) => {
      if (this.#counts(timeStamp)) this.#command(command, INPUT.BUTTON, timeStamp);
    });
    onDetail(this.#tools, "colour", (/** @type {{colour: number, timeStamp: number}} */ { colour, timeStamp }) => {
      if (this.#counts(timeStamp)) this.#choose(colour);
    });
    onDetail(this.#tools, "size", (/** @type {{height: number, width: number, timeStamp: number}} */ { height, width, timeStamp }) => {
      if (this.#counts(timeStamp)) this.#resize(height, width, INPUT.KEY, timeStamp);
    });
    this.#tools.addEventListener("left", () => this.focus());
    onDetail(this.#tabs, "open", (/** @type {{input: number, timeStamp: number}} */ { input, timeStamp }) => {
      if (this.#counts(timeStamp)) this.#edit({ op: "open", input }, INPUT.BUTTON, timeStamp);
    });
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    this.#stopWaiting();
    window.removeEventListener("click", this.#clicked);
  }

  /** Whether a pointer or a button was pressed for what is shown, as the gate says. */
  #counts(/** @type {number} */ timeStamp) {
    return this.gate.pointer(timeStamp) === "press";
  }

  /** A press beside the grid leaves the keyboard where it was of use. */
  #clicked = () => {
    if (document.activeElement === document.body && this.checkVisibility({ visibilityProperty: true })) this.focus();
  };

  focus() {
    this.#output.focus();
  }

  /** Whether a pattern is drawn on each colour. */
  set patterns(/** @type {boolean} */ wanted) {
    this.#patterns = this.#tools.patterns = wanted;
    this.#draw();
  }

  /** Marks a tool as used, for the tutorial. @param {string} name */
  light(name) {
    this.#tools.light(name);
  }

  /** @param {TaskContent} task @param {Submissions} rule @param {TaskState} state @param {boolean} waiting  for the answer to a submission */
  show(task, rule, state, waiting) {
    const isOther = task !== this.#task || state.open !== this.#state?.open;
    const answered = !this.#state || countSubmissions(state) !== countSubmissions(this.#state);
    [this.#task, this.#rule, this.#state, this.#waiting] = [task, rule, state, waiting];
    if (isOther) this.#build(task, state);
    if (isOther || answered) anotherScreen(this.gate);
    if (answered) this.#submitting.came();
    if (isOther) this.close();
    const { height, width } = this.#output.size;
    this.#output.grid = this.#now.grid;
    this.#keepCursorInside();
    if (answered) this.#settle();
    else this.#render();
    if (height !== this.#output.size.height || width !== this.#output.size.width || isOther) this.#fit();
    this.#draw();
  }

  /** Closes what it asks: the page shows something else. */
  close() {
    if (this.#question.open) this.#question.close();
  }

  /** Enables Submit once hands have rested, where they have to. */
  #settle() {
    this.#stopWaiting();
    this.#stopWaiting = untilRested(this.#submitting, () => this.#render());
  }

  get #now() {
    if (!this.#state) throw new TypeError("no task is shown");
    return this.#state.inputs[this.#state.open];
  }

  /** Shows the grids of a task and of the test input in work. @param {TaskContent} task @param {TaskState} state */
  #build(task, state) {
    this.#examples.replaceChildren(...examples(task, state.open));
    this.#grids = [this.#output, ...gridsIn(this.#examples)];
    [this.#part, this.#anchor, this.#focused, this.#cursor] = [null, null, 0, { row: 0, column: 0 }];
    if (this.dataset.zoom === "examples") this.#enlarge(null);
  }

  #render() {
    const state = this.#state;
    if (!state) return;
    const now = this.#now;
    const [height, width] = [now.grid.length, now.grid[0].length];
    const disabled = unusable(now, this.#part !== null, this.#waiting);
    if (this.#submitting.decide(this.#rule, now) === "rest") disabled.add("submit");
    const tries = now.closed ? "" : triesLeft(this.#rule, now.submissions.length);
    this.#tools.show({ tool: this.#tool, colour: this.#colour, height, width, tries, disabled });
    this.#tabs.show(state);
    this.#output.setAttribute("aria-label", gettext("{kind}, {rows} rows and {columns} columns", { kind: gettext("Output grid"), rows: height, columns: width }));
    const last = now.submissions.at(-1);
    const [name, text] = last === undefined || !(now.closed || this.#submitted) ? ["", this.#note] : verdictOn(last.right);
    this.#verdict.dataset.verdict = name;
    if (this.#verdict.textContent !== text) this.#verdict.textContent = text;
  }

  #draw() {
    if (!this.#task) return;
    const hasKeys = document.activeElement === document.body || this.contains(document.activeElement);
    this.#grids.forEach((each, index) => {
      each.patterns = this.#patterns;
      const own = this.#part && each.place.from === this.#part.from && each.place.pair === this.#part.pair;
      each.chosen = own && this.#part ? this.#part.rect : null;
      each.cursor = index === this.#focused && hasKeys ? this.#cursor : null;
      each.draw();
    });
  }

  #fit() {
    if (!this.#task) return;
    const groups = [...this.#examples.children].map((group) => gridsIn(group).map((each) => each.size));
    const [enlarged, room] = [this.#examples.querySelector(".enlarged"), roomOf(this.#examples)];
    const sizes = enlarged ? gridsIn(enlarged).map((each) => each.size) : [];
    const cell = enlarged ? enlargedCellFor(sizes, room, BETWEEN_ENLARGED) : cellFor(groups, { ...room, height: room.height + CAPTION }, GAPS);
    for (const each of this.#grids.slice(1)) each.cell = cell;
    const [own, place] = [[this.#output.size], roomOf(this.#place)];
    this.#output.cell = this.dataset.zoom === "output" ? enlargedCellFor(own, place, 0) : cellFor([own], place, { ...GAPS, above: 0 });
    this.#draw();
  }

  /** Shows the grids of a pair or the output grid as large as the editor is, or all of them again. */
  #enlarge(/** @type {Element | null} */ place) {
    const closes = this.dataset.zoom !== undefined && (place === null || place.matches(".enlarged"));
    for (const each of this.querySelectorAll(".enlarged")) each.classList.remove("enlarged");
    if (closes || place === null) {
      delete this.dataset.zoom;
    } else {
      this.dataset.zoom = place === this.#place ? "output" : "examples";
      place.classList.add("enlarged");
    }
    const shown = closes || place === null ? this.#output : gridsIn(place)[0];
    if (!gridsIn(shown.parentElement ?? this).includes(this.#grids[this.#focused])) {
      [this.#focused, this.#cursor, this.#anchor] = [this.#grids.indexOf(shown), { row: 0, column: 0 }, null];
    }
    for (const each of this.querySelectorAll(".task-zoom")) each.setAttribute("aria-pressed", String(each.parentElement?.matches(".enlarged")));
    this.#fit();
    this.focus();
  }

  /** @param {Edit} edit @param {number} input @param {number} timeStamp */
  #edit(edit, input, timeStamp) {
    this.#submitted = edit.op === "submit";
    this.#note = "";
    if (edit.op !== "submit" && edit.op !== "open") this.#submitting.edited();
    const screenAge = this.gate.age(timeStamp);
    this.dispatchEvent(new CustomEvent("edit", { detail: { edit, input, timeStamp, screenAge } }));
    this.#used(edit.op);
  }

  #used(/** @type {string} */ name) {
    this.dispatchEvent(new CustomEvent("used", { detail: name }));
  }

  #choose(/** @type {number} */ colour) {
    this.#colour = colour;
    if (this.#tool === "select" || this.#tool === "paste") this.#tool = "paint";
    this.#say(COLOUR_NAMES[colour]);
    this.#render();
  }

  /** @param {Command} command @param {number} input @param {number} timeStamp */
  #command(command, input, timeStamp) {
    const { length: height, 0: { length: width } } = this.#now.grid;
    switch (command) {
      case "paint": case "fill": case "select":
        this.#tool = command;
        return this.#render();
      case "paste":
        this.#tool = "paste";
        if (input !== INPUT.BUTTON) this.#paste(this.#cursor, input, timeStamp);
        return this.#render();
      case "lower": return this.#resize(height - 1, width, input, timeStamp);
      case "higher": return this.#resize(height + 1, width, input, timeStamp);
      case "narrower": return this.#resize(height, width - 1, input, timeStamp);
      case "wider": return this.#resize(height, width + 1, input, timeStamp);
      case "use": return this.#use(this.#cursor, input, timeStamp);
      case "use_fill": return this.#fill(this.#cursor, input, timeStamp);
      case "next_grid": return this.#nextGrid();
      case "zoom": return this.#enlarge(this.dataset.zoom === undefined ? this.#grids[this.#focused].parentElement : null);
      case "submit": return this.#submit(input, timeStamp);
      default: return this.#edit({ op: command }, input, timeStamp);
    }
  }

  /** @param {number} input @param {number} timeStamp */
  #submit(input, timeStamp) {
    if (this.#now.closed || this.#waiting) return;
    const decision = this.#submitting.decide(this.#rule, this.#now);
    if (decision === "send") {
      this.#edit({ op: "submit" }, input, timeStamp);
    } else if (decision === "repeated") {
      [this.#submitted, this.#note] = [false, REPEATED_GRID];
      this.#render();
    } else if (decision !== "rest") {
      this.#question.ask(decision, triesLeft(this.#rule, this.#now.submissions.length), this.gate);
    }
  }

  /** @param {number} height @param {number} width @param {number} input @param {number} timeStamp */
  #resize(height, width, input, timeStamp) {
    const { length, 0: row } = this.#now.grid;
    if (height < 1 || width < 1 || height > LARGEST || width > LARGEST || (height === length && width === row.length)) return;
    this.#edit({ op: "resize", height, width }, input, timeStamp);
  }

  /** Does at a cell of the output grid what the chosen tool does. @param {Cell} cell @param {number} input @param {number} timeStamp */
  #use(cell, input, timeStamp) {
    if (this.#focused !== 0) return;
    if (this.#tool === "fill") this.#fill(cell, input, timeStamp);
    else if (this.#tool === "paste") this.#paste(cell, input, timeStamp);
    else if (this.#tool === "paint") this.#edit({ op: "paint", colour: this.#colour, cells: [position(cell.row, cell.column)] }, input, timeStamp);
  }

  /** @param {Cell} cell @param {number} input @param {number} timeStamp */
  #fill({ row, column }, input, timeStamp) {
    if (this.#focused === 0) this.#edit({ op: "fill", colour: this.#colour, cell: position(row, column) }, input, timeStamp);
  }

  /** Lays the chosen part down; the keyboard may still be in the grid that it comes from. @param {Cell} cell @param {number} input @param {number} timeStamp */
  #paste(cell, input, timeStamp) {
    if (!this.#part) return;
    const { row, column } = this.#focused === 0 ? cell : { row: 0, column: 0 };
    this.#edit({ op: "paste", ...this.#part, cell: position(row, column) }, input, timeStamp);
  }

  #nextGrid() {
    this.#focused = (this.#focused + 1) % this.#grids.length;
    [this.#cursor, this.#anchor] = [{ row: 0, column: 0 }, null];
    this.#say(this.#focused === 0 ? gettext("Output grid") : this.#grids[this.#focused].getAttribute("aria-label") ?? "");
    const place = this.#grids[this.#focused].parentElement;
    if (this.dataset.zoom !== undefined && !place?.matches(".enlarged")) this.#enlarge(place);
    this.#draw();
  }

  /** @param {TaskGrid} from @param {Cell} one @param {Cell} other */
  #select(from, one, other) {
    this.#part = { ...from.place, rect: rectangleOf(one, other) };
    this.#used("select");
    this.#draw();
  }

  #keepCursorInside() {
    const { height, width } = this.#grids[this.#focused].size;
    this.#cursor = { row: Math.min(this.#cursor.row, height - 1), column: Math.min(this.#cursor.column, width - 1) };
  }

  /** @param {Move} move */
  #move({ right, down, select }) {
    const before = this.#cursor;
    this.#cursor = { row: Math.max(0, before.row + down), column: Math.max(0, before.column + right) };
    this.#keepCursorInside();
    this.#anchor = select ? (this.#anchor ?? before) : null;
    const from = this.#grids[this.#focused];
    if (this.#anchor) this.#select(from, this.#anchor, this.#cursor);
    const { row, column } = this.#cursor;
    const colour = COLOUR_NAMES[from.grid[row][column]];
    this.#say(gettext("Row {row}, column {column}, {colour}", { row: row + 1, column: column + 1, colour }));
    this.#render();
    this.#draw();
  }

  #say(/** @type {string} */ text) {
    this.#spoken.textContent = text;
  }

  /** A key was pressed that is meant for the editor. @param {KeyboardEvent} event @param {Verdict} verdict */
  keyed(event, verdict) {
    const meant = this.#state && !this.#question.open ? meaning(event) : null;
    if (!meant) return;
    event.preventDefault();
    if (document.activeElement === document.body) this.focus();
    if (meant.kind === "move") return this.#move(meant);
    if (verdict === "press" && meant.kind === "colour") return this.#choose(meant.colour);
    if (meant.kind !== "command" || !(verdict === "press" || (verdict === "repeat" && REPEATED.has(meant.command)))) return undefined;
    return this.#command(meant.command, event.repeat ? INPUT.KEY_REPEAT : INPUT.KEY, timeOf(event));
  }

  /** What a press on a grid does. @param {TaskGrid} from @param {Cell} cell @returns {"paint" | "select" | "use"} */
  #grip(from, cell) {
    this.#output.focus();
    if (from !== this.#output) return "select";
    [this.#focused, this.#cursor, this.#anchor] = [0, cell, null];
    return this.#tool === "paint" || this.#tool === "select" ? this.#tool : "use";
  }

  /** Draws a stroke as far as it goes. @param {readonly number[]} cells @param {Cell} last */
  #preview(cells, last) {
    if (this.#now.closed || this.#waiting) return;
    this.#output.grid = withCells(this.#now.grid, cells, this.#colour);
    this.#cursor = last;
    this.#draw();
  }

  /** @param {readonly number[]} cells @param {number} input @param {number} timeStamp */
  #painted(cells, input, timeStamp) {
    this.#output.grid = this.#now.grid;
    for (const edit of paintEdits(cells, this.#colour)) this.#edit(edit, input, timeStamp);
    this.#draw();
  }

  #chosen() {
    this.#tool = "paste";
    this.#render();
  }
}

function countSubmissions(/** @type {TaskState} */ { inputs }) {
  return inputs.reduce((sum, { submissions }) => sum + submissions.length, 0);
}

customElements.define("task-editor", TaskEditor);
