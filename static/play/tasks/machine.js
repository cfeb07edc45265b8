/**
 * The state of a task that is worked on, and how an edit changes it: the same machine as `engine/tasks/state.py`.
 * `tests/vectors/tasks.json` holds both to the same answers.
 */

import { blank, cellOf, cut, filled, isSame, pasted, resized, withCells } from "./grids.js";

/** @import { Grid } from "./grids.js" */
/** @import { Edit, InputMessage, InputState, Part, Submissions, TaskContent, TaskMessage, TaskState } from "./types" */

/** Rows and columns of an output grid at the start. */
export const START_SIZE = 3;

/** An edit that cannot be performed; the state is as it was. */
export class EditError extends Error {
  /** @param {string} code  as the server names it */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** The state before the first edit: blank output grids. @param {TaskContent} task @returns {TaskState} */
export function start(task) {
  return { open: 0, inputs: task.tests.map(() => inputState(blank(START_SIZE, START_SIZE))) };
}

/** @param {Grid} grid @returns {InputState} */
function inputState(grid) {
  return { grid, past: [], future: [], submissions: [], submitted: null, closed: false, solved: false, hasOlder: false, hasNewer: false };
}

/** The state that the server described. It does not send the grids that can be undone or redone. @param {TaskMessage} message @returns {TaskState} */
export function stateOf(message) {
  return { open: message.open - 1, inputs: message.inputs.map(received) };
}

/** @param {InputMessage} input @returns {InputState} */
function received({ grid, submissions, submitted: last, closed, solved, can_undo: hasOlder, can_redo: hasNewer }) {
  return { grid, past: [], future: [], submissions, submitted: last, closed, solved, hasOlder, hasNewer };
}

/** Whether two states look the same to the person. @param {TaskState} one @param {TaskState} other */
export function looksSame(one, other) {
  return one.open === other.open && one.inputs.every((input, index) => {
    const same = other.inputs[index];
    return isSame(input.grid, same.grid) && input.closed === same.closed && input.submissions.length === same.submissions.length
      && canUndo(input) === canUndo(same) && canRedo(input) === canRedo(same);
  });
}

/** @param {InputState} input */
export function canUndo(input) {
  return input.past.length > 0 || input.hasOlder;
}

/** @param {InputState} input */
export function canRedo(input) {
  return input.future.length > 0 || input.hasNewer;
}

/** Whether every test input is closed. @param {TaskState} state */
export function isFinished(state) {
  return state.inputs.every((input) => input.closed);
}

/**
 * The state after an edit; the same one if it changes nothing, or if only the server can tell what it changes.
 * @param {TaskContent} task
 * @param {Submissions} rule
 * @param {TaskState} state
 * @param {Edit} edit
 * @returns {TaskState}
 * @throws {EditError} environment_finished, input_closed, edit_impossible
 */
export function apply(task, rule, state, edit) {
  if (isFinished(state)) throw new EditError("environment_finished");
  if (edit.op === "open") return opened(state, edit.input - 1);
  if (state.inputs[state.open].closed) throw new EditError("input_closed");
  if (edit.op === "submit") return submitted(task, rule, state);
  return withCurrent(state, changed(task, state, edit));
}

/** @param {TaskState} state @param {InputState} input @returns {TaskState} */
function withCurrent(state, input) {
  if (input === state.inputs[state.open]) return state;
  return { ...state, inputs: state.inputs.with(state.open, input) };
}

/** @param {TaskState} state @param {number} index @returns {TaskState} */
function opened(state, index) {
  if (index >= state.inputs.length) throw new EditError("edit_impossible");
  return index === state.open ? state : { ...state, open: index };
}

/** The state after a submission; the same one where the solution is not known. @param {TaskContent} task @param {Submissions} rule @param {TaskState} state @returns {TaskState} */
function submitted(task, rule, state) {
  const [now, solution] = [state.inputs[state.open], task.tests[state.open].output];
  if (!solution) return state;
  const right = isSame(now.grid, solution);
  const counted = now.submissions.length < rule.tries;
  const submissions = [...now.submissions, { right, counted }];
  const closed = (right && rule.feedback) || submissions.length >= rule.most;
  const after = withCurrent(state, { ...now, submissions, submitted: now.grid, closed, solved: now.solved || (right && counted) });
  if (!closed || isFinished(after)) return after;
  const count = after.inputs.length;
  const order = after.inputs.map((_, step) => (state.open + 1 + step) % count);
  return { ...after, open: order.find((index) => !after.inputs[index].closed) ?? state.open };
}

/** @param {TaskContent} task @param {TaskState} state @param {Exclude<Edit, {op: "open"} | {op: "submit"}>} edit @returns {InputState} */
function changed(task, state, edit) {
  const now = state.inputs[state.open];
  switch (edit.op) {
    case "resize": return edited(now, resized(now.grid, edit.height, edit.width));
    case "paint": return edited(now, withCells(now.grid, edit.cells, edit.colour));
    case "fill": return edited(now, flooded(now.grid, edit.cell, edit.colour));
    case "copy_input": return edited(now, task.tests[state.open].input);
    case "clear": return edited(now, blank(now.grid.length, now.grid[0].length));
    case "paste": {
      const part = cut(sourceOf(task, state, edit), edit.rect);
      if (part === null) throw new EditError("edit_impossible");
      return edited(now, pasted(now.grid, part, ...cellOf(edit.cell)));
    }
    case "undo": return undone(now);
    case "redo": return redone(now);
  }
}

/** @param {InputState} now @param {Grid} grid @returns {InputState} */
function edited(now, grid) {
  if (isSame(grid, now.grid)) return now;
  return { ...now, grid, past: [...now.past, now.grid], future: [], hasNewer: false };
}

/** @param {InputState} now @returns {InputState} */
function undone(now) {
  if (now.past.length === 0) return now;
  return { ...now, grid: now.past[now.past.length - 1], past: now.past.slice(0, -1), future: [...now.future, now.grid] };
}

/** @param {InputState} now @returns {InputState} */
function redone(now) {
  if (now.future.length === 0) return now;
  return { ...now, grid: now.future[now.future.length - 1], past: [...now.past, now.grid], future: now.future.slice(0, -1) };
}

/** @param {Grid} grid @param {number} cell @param {number} colour @returns {Grid} */
function flooded(grid, cell, colour) {
  const [row, column] = cellOf(cell);
  if (grid[row]?.[column] === undefined) throw new EditError("edit_impossible");
  return filled(grid, row, column, colour);
}

/** The grid that a part is copied from. @param {TaskContent} task @param {TaskState} state @param {Part} part @returns {Grid} */
function sourceOf(task, state, part) {
  if (part.from === "input") return task.tests[state.open].input;
  if (part.from === "output") return state.inputs[state.open].grid;
  const pair = task.demonstrations[(part.pair ?? 0) - 1];
  if (!pair) throw new EditError("edit_impossible");
  return part.from === "demo_input" ? pair.input : pair.output;
}
