/** The state of a static task after each entry of its journal. Needs no page. */

import { apply, start } from "../play/tasks/machine.js";

/** @import { TaskContent, TaskState } from "../play/tasks/types" */
/** @import { Entry } from "./types" */

/** What follows a submission is in the journal: nothing here closes a test input. */
const ANY = Object.freeze({ tries: Infinity, most: Infinity, feedback: false });

/**
 * Performs the edits of a journal. A page has no solutions: which test input is open after a submission is said by the entry.
 * @param {TaskContent} task
 * @param {Entry[]} entries
 * @returns {TaskState[]}
 */
export function statesOf(task, entries) {
  let state = start(task);
  return entries.map(({ edit, opened = 1 }) => {
    if (edit) state = apply(task, ANY, state, edit);
    state = { ...state, open: opened - 1 };
    return state;
  });
}
