/** The keyboard of the replay: what each key does, and the list of keys. */

import { keyName } from "../play/keys.js";
import { selectNext } from "./transport-controls.js";

/** @import { StepUnit } from "./playback.js" */
/** @import { Replay } from "./replay.js" */

/** @typedef {(replay: Replay) => void} Command */

/** Keys as people read them, what they do, and the command of each. @type {Readonly<[caps: string, use: string, commands: Record<string, Command>][]>} */
export const SHORTCUTS = [
  ["space", "play or pause", { " ": ({ playback }) => playback.toggle() }],
  ["← →", "previous or next action", steps("action", "ArrowLeft", "ArrowRight")],
  [", .", "previous or next frame", steps("frame", ",", ".")],
  ["[ ]", "previous or next level or test input", steps("level", "[", "]")],
  ["s S", "next or previous submission, of a static task", steps("submission", "S", "s")],
  ["↑ ↓", "faster or slower", {
    ArrowUp: ({ transport }) => transport.changeSpeed(1), ArrowDown: ({ transport }) => transport.changeSpeed(-1),
  }],
  ["Home End", "to the beginning or the end", { Home: ({ playback }) => playback.goTo(0), End: ({ playback }) => playback.toEnd() }],
  ["t", "real time, or the same time for each action", { t: ({ transport }) => selectNext(transport.clock) }],
  ["i", "skip idle time or not", { i: ({ transport }) => transport.skip.click() }],
  ["h", "heat map: clicks, dwell, changed cells, none", { h: ({ heat }) => { if (!heat.disabled) selectNext(heat); } }],
  ["c", "comment on this moment", { c: (replay) => replay.comment() }],
  ["p", "add to a collection, from this moment", { p: (replay) => replay.collect() }],
  ["v", "view side by side with another attempt", { v: ({ compare }) => compare.open() }],
  ["l", "copy a link to this moment", { l: (replay) => replay.copyLink() }],
  ["e", "film of this attempt, picture of this moment", { e: (replay) => replay.exportMoment() }],
  ["n b", "next or previous replay of the list", { n: () => inList("next")?.click(), b: () => inList("prev")?.click() }],
  ["d Esc", "to the decision on a session under review, and back to its replay", { d: () => document.getElementById("id_reason")?.focus() }],
  ["?", "this panel", { "?": ({ help }) => help.showModal() }],
];
/** @type {Record<string, Command>} */
const COMMANDS = Object.assign({}, ...SHORTCUTS.map(([, , commands]) => commands));

/** @param {StepUnit} unit @param {string} back @param {string} on @returns {Record<string, Command>} */
function steps(unit, back, on) {
  return { [back]: ({ playback }) => playback.step(unit, -1), [on]: ({ playback }) => playback.step(unit, 1) };
}

/** The link to the replay beside this one in the list or collection from which it was opened; null without one. @param {"next" | "prev"} rel */
function inList(rel) {
  const link = document.querySelector(`.collection-place a[rel="${rel}"]`);
  return link instanceof HTMLAnchorElement ? link : null;
}

/** A capital is a letter with Shift, whatever Caps Lock says. */
function nameOf(/** @type {KeyboardEvent} */ event) {
  const name = keyName(event);
  return event.shiftKey && name.length === 1 ? name.toUpperCase() : name;
}

/**
 * Runs the command of a key, unless the key is meant for a field, a dialog or the browser.
 * @param {KeyboardEvent} event
 * @param {Replay} replay
 * @returns {boolean} whether a command was run
 */
export function runShortcut(event, replay) {
  const { target } = event;
  const key = nameOf(event);
  const isCommand = (event.altKey || event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph"); // AltGr writes "["
  if (isCommand || document.querySelector("dialog[open]")) return false;
  if (!(target instanceof Element) || target.matches("select, input:not([type=range], [type=checkbox]), textarea")) return false;
  if (key === " " && target.matches("button, a, summary, input")) return false;
  COMMANDS[key]?.(replay);
  return key in COMMANDS;
}
