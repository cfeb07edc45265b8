/**
 * The tutorial for static tasks: a task whose solution the page knows, so that nothing is sent. Tools light when they are first used,
 * and "Start" is enabled once a test input is solved.
 */

import "./page.js";
import { onDetail } from "../shared/events.js";
import { required } from "../shared/required.js";
import { watchHands } from "./controls.js";
import { PausedCover } from "./notices.js";
import { PatternSwitch } from "./pattern-switch.js";
import { EditError, apply, start } from "./tasks/machine.js";
import { TaskEditor } from "./tasks/task-editor.js";

/** @import { Edit, TaskContent } from "./tasks/types" */

/** Nobody runs out of tries here. */
const RULE = Object.freeze({ tries: 1000, most: 1000, feedback: true });

const main = required(document, "main", HTMLElement);
const editor = required(main, "task-editor", TaskEditor);
const patterns = required(main, "pattern-switch", PatternSwitch);
const cover = required(document, "paused-cover", PausedCover);
const begin = required(main, ".start button", HTMLButtonElement);
const { train, test } = JSON.parse(required(document, "#tutorial-task", HTMLScriptElement).textContent ?? "");
/** @type {TaskContent} */
const task = { demonstrations: train, tests: test };
let state = start(task);

onDetail(editor, "edit", (/** @type {{edit: Edit}} */ { edit }) => {
  if (cover.shown) return;
  try {
    state = apply(task, RULE, state, edit);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return;
  }
  if (state.inputs.some((input) => input.solved)) begin.disabled = false;
  show();
});
watchHands(editor.gate, (event, verdict) => {
  if (!cover.shown) editor.keyed(event, verdict);
});
onDetail(editor, "used", (/** @type {string} */ name) => editor.light(name));
patterns.addEventListener("change", () => { editor.patterns = patterns.on; });
// A preview for staff has none.
main.querySelector("call-staff")?.addEventListener("called", () => editor.focus());

editor.patterns = patterns.on;
show();
editor.focus();

function show() {
  editor.show(task, RULE, state, false);
}
