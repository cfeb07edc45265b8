/** The keyboard of the replay: which key does what, for the player and for the panel that lists them. */

const STEPS = {
  ArrowLeft: "action:-1", ArrowRight: "action:1", ",": "frame:-1", ".": "frame:1", "[": "level:-1", "]": "level:1",
};

/** @type {Record<string, (player: any) => void>} */
const DEEDS = {
  " ": (player) => player.toggle(),
  ArrowUp: (player) => player.changeSpeed(1),
  ArrowDown: (player) => player.changeSpeed(-1),
  Home: (player) => player.goTo(0),
  End: (player) => player.goTo(player.timeline.positions.length - 1),
  t: (player) => player.choose(player.pace),
  i: (player) => player.skip.click(),
  h: (player) => player.choose(player.heat),
  c: (player) => player.comment(),
  p: (player) => player.putIntoCollection(),
  v: (player) => player.compare.open(),
  l: (player) => player.copyLink(),
  e: (player) => player.exportMoment(),
  "/": (player) => player.querySelector("replay-find").focus(),
  "?": (player) => player.help.toggle(),
};

export const SHORTCUTS = Object.freeze([
  ["space", "play or pause"],
  ["← →", "previous or next action"],
  [", .", "previous or next frame"],
  ["[ ]", "previous or next level"],
  ["↑ ↓", "faster or slower"],
  ["Home End", "to the beginning or the end"],
  ["t", "real time or one beat an action"],
  ["i", "skip idle time or not"],
  ["h", "heat map: clicks, dwell, changed cells, none"],
  ["c", "comment on this moment"],
  ["p", "put into a collection, from this moment"],
  ["v", "view side by side with another attempt"],
  ["l", "copy a link to this moment"],
  ["e", "film of this attempt, picture of this moment"],
  ["/", "find an action or event in the list"],
  ["?", "this panel"],
]);

/** Do what a key is for, unless it is meant for a field, a dialog or the browser; whether it was done. */
export function pressed(/** @type {KeyboardEvent} */ event, /** @type {any} */ player) {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return false;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("select, input:not([type=range], [type=checkbox]), textarea")) return false;
  if (event.key === " " && target.matches("button, a, summary, input")) return false;
  if (STEPS[event.key]) player.step(STEPS[event.key]);
  else if (DEEDS[event.key]) DEEDS[event.key](player);
  else return false;
  return true;
}
