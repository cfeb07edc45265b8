/** The keyboard of the replay: what each key does, and the list of keys. */

import { selectNext } from "./transport-controls.js";

/** @import { Replay } from "./replay.js" */

/** @type {Record<string, (replay: Replay) => void>} */
const COMMANDS = {
  " ": ({ playback }) => playback.toggle(),
  ArrowLeft: ({ playback }) => playback.step("action", -1),
  ArrowRight: ({ playback }) => playback.step("action", 1),
  ",": ({ playback }) => playback.step("frame", -1),
  ".": ({ playback }) => playback.step("frame", 1),
  "[": ({ playback }) => playback.step("level", -1),
  "]": ({ playback }) => playback.step("level", 1),
  s: ({ playback }) => playback.step("submission", 1),
  S: ({ playback }) => playback.step("submission", -1),
  ArrowUp: ({ transport }) => transport.changeSpeed(1),
  ArrowDown: ({ transport }) => transport.changeSpeed(-1),
  m: (replay) => replay.toNotable(1),
  M: (replay) => replay.toNotable(-1),
  Home: ({ playback }) => playback.goTo(0),
  End: ({ playback }) => playback.toEnd(),
  t: ({ transport }) => selectNext(transport.clock),
  i: ({ transport }) => transport.skip.click(),
  o: ({ playOn }) => playOn.box.click(),
  h: ({ heat }) => { if (!heat.disabled) selectNext(heat); },
  c: (replay) => replay.comment(),
  p: (replay) => replay.collect(),
  v: ({ compare }) => compare.open(),
  l: (replay) => replay.copyLink(),
  e: (replay) => replay.exportMoment(),
  n: () => leadTo("next"),
  b: () => leadTo("prev"),
  "/": ({ find }) => find.focus(),
  "?": ({ help }) => help.toggle(),
};

/** Opens the replay beside this one in its list or collection, if it was opened from one. @param {"next" | "prev"} rel */
function leadTo(rel) {
  inList(rel)?.click();
}

/** The link to the next replay of the list or collection from which this one was opened; null without one. */
export function nextInList() {
  return inList("next");
}

function inList(/** @type {"next" | "prev"} */ rel) {
  const link = document.querySelector(`.collection-place a[rel="${rel}"]`);
  return link instanceof HTMLAnchorElement ? link : null;
}

/** Keys and what they do, for people. */
export const SHORTCUTS = Object.freeze([
  ["space", "play or pause"],
  ["← →", "previous or next action"],
  [", .", "previous or next frame"],
  ["[ ]", "previous or next level or test input"],
  ["s S", "next or previous submission, of a static task"],
  ["m M", "next or previous moment worth a look: lost, reset, without effect, idle, comment"],
  ["wheel", "over the board: previous or next action"],
  ["↑ ↓", "faster or slower"],
  ["Home End", "to the beginning or the end"],
  ["t", "real time, or the same time for each action"],
  ["i", "skip idle time or not"],
  ["h", "heat map: clicks, dwell, changed cells, none"],
  ["c", "comment on this moment"],
  ["p", "add to a collection, from this moment"],
  ["v", "view side by side with another attempt"],
  ["l", "copy a link to this moment"],
  ["e", "film of this attempt, picture of this moment"],
  ["n b", "next or previous replay of the list"],
  ["o", "play the next replay of the list when this one ends, or not"],
  ["/", "find an action or event in the list"],
  ["?", "this panel"],
]);

/**
 * Runs the command of a key, unless the key is meant for a field, a dialog or the browser.
 * @param {KeyboardEvent} event
 * @param {Replay} replay
 * @returns {boolean} whether a command was run
 */
export function runShortcut(event, replay) {
  const { key, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return false;
  if (!(target instanceof Element) || target.matches("select, input:not([type=range], [type=checkbox]), textarea")) return false;
  if (key === " " && target.matches("button, a, summary, input")) return false;
  COMMANDS[key]?.(replay);
  return key in COMMANDS;
}
