/** Edits of a static task in words. `playtest/rules/labels.py` says the same; a test compares them. */

import { COLOUR_NAMES } from "../play/tasks/grids.js";

/** @import { Edit, Part } from "../play/tasks/types" */
/** @import { Submission } from "./types" */

/** What an edit did, such as "painted 4 cells red". @param {Edit} edit @returns {string} */
export function editLabel(edit) {
  switch (edit.op) {
    case "resize": return `resized to ${edit.height} by ${edit.width}`;
    case "paint": return `painted ${edit.cells.length} ${edit.cells.length === 1 ? "cell" : "cells"} ${COLOUR_NAMES[edit.colour]}`;
    case "fill": return `filled with ${COLOUR_NAMES[edit.colour]}`;
    case "copy_input": return "copied the input";
    case "clear": return "cleared the grid";
    case "paste": return `pasted ${edit.rect[2]} by ${edit.rect[3]} from ${sourceLabel(edit)}`;
    case "undo": return "undid an edit";
    case "redo": return "redid an edit";
    case "open": return `opened test input ${edit.input}`;
    case "submit": return "submitted";
  }
}

function sourceLabel(/** @type {Part} */ { from, pair }) {
  const place = from.replace("demo_", "");
  return place === from ? `the ${place}` : `the ${place} of demonstration ${pair}`;
}

/** Such as "submission 1: wrong" or "submission 3: right, not counted". */
export function submissionLabel(/** @type {Submission} */ { number, right, counted }) {
  return `submission ${number}: ${right ? "right" : "wrong"}${counted ? "" : ", not counted"}`;
}
