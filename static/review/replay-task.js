/**
 * `<replay-task>`: the pairs of a static task beside its replay: the test input that is open, all submissions, the demonstrations and,
 * on demand, the solution with the cells that are wrong. Event: `seek` with a position.
 */

import { TaskGrid } from "../play/tasks/grid-view.js";
import { PALETTE_OF_COLOURS } from "../play/tasks/grids.js";
import { apply, start } from "../play/tasks/machine.js";
import { CELLS, SIDE } from "../shared/codec.js";
import { Refused, ask, refusalNotice } from "../shared/requests.js";
import { submissionLabel } from "./descriptions.js";
import { wrongCells, wrongLabel } from "./wrong-cells.js";

/** @import { Grid, TaskContent, TaskState } from "../play/tasks/types" */
/** @import { ReplayScreen } from "./replay-screen.js" */
/** @import { Entry } from "./types" */

/** Pixels: the largest cell, and what lies between the grids of a pair. */
const [LARGEST_CELL, BETWEEN] = [9, 32];

/** The index in the palette of what lies outside a grid. */
const OUTSIDE = 4;

/** What follows a submission is in the journal: nothing here closes a test input. */
const ANY = Object.freeze({ tries: Infinity, most: Infinity, feedback: false });

export class ReplayTask extends HTMLElement {
  /** @type {TaskContent | null} */
  #task = null;
  /** @type {TaskState[]} */
  #states = [];
  /** @type {ReplayScreen | null} */
  #screen = null;
  /** The address of the solution; empty for who may not see it. */
  #address = "";
  /** The solutions, once they were asked for. @type {Grid[] | null} */
  #outputs = null;
  #shown = { input: -1, entry: 0 };
  #title = document.createElement("h2");
  #input = document.createElement("div");
  #submissions = Object.assign(document.createElement("ol"), { className: "submissions" });
  #solution = Object.assign(document.createElement("div"), { className: "solution" });
  #button = Object.assign(document.createElement("button"), { type: "button", className: "small-button secondary" });
  #answer = document.createElement("div");
  #demonstrations = Object.assign(document.createElement("div"), { className: "demonstrations" });
  #observer = new ResizeObserver(() => this.#fit());

  connectedCallback() {
    this.#button.addEventListener("click", () => this.#toggleSolution());
    this.#answer.setAttribute("role", "status");
    this.#solution.replaceChildren(this.#button, this.#answer);
    const now = Object.assign(document.createElement("div"), { className: "now" });
    now.append(this.#title, this.#input);
    const answers = Object.assign(document.createElement("div"), { className: "answers" });
    answers.append(this.#submissions, this.#solution);
    this.replaceChildren(now, answers, this.#demonstrations);
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  /** @param {TaskContent} task @param {Entry[]} entries @param {ReplayScreen} screen @param {string} address  of the solution; empty for none */
  start(task, entries, screen, address) {
    [this.#task, this.#screen, this.#address] = [task, screen, address];
    this.#states = statesOf(task, entries);
    this.#solution.hidden = address === "";
    this.#button.textContent = "Show the solution";
    const { starts } = screen.timeline;
    this.#submissions.replaceChildren(...entries.flatMap((entry, index) => (entry.submission ? [this.#submission(entry, starts[index])] : [])));
    const pairs = task.demonstrations.map(({ input, output }, index) => pair(input, output, `Demonstration ${index + 1}`));
    this.#demonstrations.replaceChildren(...pairs);
  }

  /** Shows what belongs to an entry. */
  show(/** @type {number} */ entry) {
    if (!this.#task) return;
    const open = this.#states[entry].open;
    if (open !== this.#shown.input) {
      const { tests } = this.#task;
      this.#title.textContent = tests.length === 1 ? "Test input" : `Test input ${open + 1} of ${tests.length}`;
      this.#input.replaceChildren(grid(tests[open].input, "Test input"));
      this.#fit();
    }
    this.#shown = { input: open, entry };
    for (const button of this.#submissions.querySelectorAll("button")) {
      button.toggleAttribute("aria-current", Number(button.dataset.entry) === entry);
    }
    this.#showWrong();
  }

  #submission(/** @type {Entry} */ entry, /** @type {number} */ position) {
    const { submission } = entry;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    if (submission) {
      const mark = Object.assign(document.createElement("span"), { textContent: submission.right ? "✓" : "✕", className: submission.right ? "right" : "wrong" });
      mark.setAttribute("aria-hidden", "true");
      const where = this.#task && this.#task.tests.length > 1 ? `Test input ${entry.level}, ` : "";
      button.append(mark, ` ${where}${submissionLabel(submission)}`);
    }
    button.dataset.entry = String(entry.seq);
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("seek", { detail: position })));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  /** Asks the server for the solutions when they are first wanted; who sees them is recorded. */
  async #toggleSolution() {
    const shown = this.#outputs !== null && this.#button.getAttribute("aria-expanded") === "true";
    try {
      this.#outputs ??= (await ask("GET", this.#address)).outputs;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#answer.replaceChildren(refusalNotice(error));
      return;
    }
    this.#button.setAttribute("aria-expanded", String(!shown));
    this.#button.textContent = shown ? "Show the solution" : "Hide the solution";
    this.#showWrong();
  }

  /** The solution of the test input that is open, and which cells of the output differ from it now. */
  #showWrong() {
    if (!this.#screen) return;
    const expanded = this.#button.getAttribute("aria-expanded") === "true";
    if (!expanded || !this.#outputs) {
      this.#screen.wrong = null;
      this.#answer.replaceChildren();
      return;
    }
    const state = this.#states[this.#shown.entry];
    const solution = this.#outputs[state.open];
    const wrong = wrongCells(state.inputs[state.open].grid, solution);
    this.#screen.wrong = wrong;
    const label = Object.assign(document.createElement("p"), { textContent: wrongLabel(wrong) });
    this.#answer.replaceChildren(grid(solution, "Solution"), label);
    this.#fit();
  }

  /** Draws every grid as large as the panel allows; those of one pair in cells of the same size. */
  #fit() {
    for (const row of this.querySelectorAll(".pair")) {
      const grids = [...row.querySelectorAll("task-grid")].filter((one) => one instanceof TaskGrid);
      const room = this.clientWidth - BETWEEN;
      draw(grids, grids.length > 1 ? room : room / 2);
    }
  }
}

/**
 * Performs the edits of a journal. A page has no solutions: which test input is open after a submission is said by the entry.
 * @param {TaskContent} task
 * @param {Entry[]} entries
 * @returns {TaskState[]}
 */
function statesOf(task, entries) {
  let state = start(task);
  return entries.map(({ edit, opened = 1 }) => {
    if (edit) state = apply(task, ANY, state, edit);
    state = { ...state, open: opened - 1 };
    return state;
  });
}

/** A test input as a frame of its own, from the upper left (`engine/tasks/grids.py`). @param {Grid} cells @returns {Uint8Array} */
export function frameOf(cells) {
  const scale = Math.floor(SIDE / Math.max(cells.length, cells[0].length));
  return Uint8Array.from({ length: CELLS }, (_, at) => {
    const colour = cells[Math.floor(at / SIDE / scale)]?.[Math.floor((at % SIDE) / scale)];
    return colour === undefined ? OUTSIDE : PALETTE_OF_COLOURS[colour];
  });
}

/** @param {TaskGrid[]} grids @param {number} room */
function draw(grids, room) {
  const width = grids.reduce((sum, one) => sum + one.size.width, 0);
  for (const one of grids) {
    one.cell = Math.max(1, Math.min(LARGEST_CELL, Math.floor((2 * room) / width) / 2));
    if (one.isConnected) one.draw();
  }
}

/** @param {Grid} input @param {Grid} output @param {string} label */
function pair(input, output, label) {
  const section = document.createElement("section");
  const arrow = Object.assign(document.createElement("span"), { textContent: "→" });
  arrow.setAttribute("aria-hidden", "true");
  const row = Object.assign(document.createElement("div"), { className: "pair" });
  row.append(picture(input, `${label}, input`), arrow, picture(output, `${label}, output`));
  section.append(Object.assign(document.createElement("h3"), { textContent: label }), row);
  return section;
}

/** A grid alone in its row. @param {Grid} cells @param {string} label */
function grid(cells, label) {
  const row = Object.assign(document.createElement("div"), { className: "pair" });
  row.append(picture(cells, label));
  return row;
}

/** @param {Grid} cells @param {string} label */
function picture(cells, label) {
  const made = Object.assign(new TaskGrid(), { grid: cells });
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `${label}, ${cells.length} rows and ${cells[0].length} columns`);
  return made;
}

customElements.define("replay-task", ReplayTask);
