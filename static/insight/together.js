/** One time line for several people's last seconds on a level, on which all of them end at the same moment. */

import { Timeline } from "../review/timeline.js";

/** @import { Entry } from "../review/types" */
/** @import { End } from "./types" */

/**
 * The actions of everybody, in order, as the entries of one time line; between them, the end of the last animation. `offsets` says
 * when each person's first frame is due, in milliseconds; it is 0 for the longest.
 * @param {End[]} ends  at least one
 * @returns {{entries: Entry[], offsets: number[]}}
 */
export function together(ends) {
  const longest = Math.max(...ends.map(lengthOf));
  const offsets = ends.map((end) => longest - lengthOf(end));
  const times = ends.flatMap((end, index) => end.entries.map((entry) => entry.time + offsets[index]));
  const shown = ends.map((end, index) => new Timeline(end.entries, end.frames_per_second).duration + offsets[index]);
  const moments = new Set([0, ...times, Math.max(...shown)]);
  return { offsets, entries: [...moments].toSorted((one, other) => one - other).map(momentAt) };
}

/** Milliseconds to the last action. */
function lengthOf(/** @type {End} */ { entries }) {
  return entries[entries.length - 1].time;
}

/** An entry of nobody in particular: a moment at which some board may change. @returns {Entry} */
function momentAt(/** @type {number} */ time, /** @type {number} */ seq) {
  return {
    seq, time, action: 0, x: null, y: null, level: 1, level_completed: false, levels_completed: 0, state: "NOT_FINISHED", changed: false,
    input: "unknown", client_time: null, previous_paint: null, frame_count: 1, frames: "",
  };
}
