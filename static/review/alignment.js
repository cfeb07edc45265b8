/** Which moment of another attempt belongs to the moment shown. */

import { clamp } from "./timeline.js";

/** @import { Timeline } from "./timeline.js" */
/** @import { Moment } from "./types" */

/** @typedef {"time" | "action" | "level"} Alignment */

/** @type {Readonly<Record<Alignment, string>>} */
export const ALIGNMENTS = Object.freeze({ time: "by time", action: "by action", level: "by level start" });

/**
 * The position of `other` that belongs to a moment of `timeline`.
 * @param {Alignment} alignment
 * @param {Timeline} timeline
 * @param {Moment} moment
 * @param {Timeline} other
 */
export function aligned(alignment, timeline, moment, other) {
  if (alignment === "time") return other.at(moment.time);
  if (alignment === "action") return other.ends[clamp(timeline.positions[moment.position].entry, other.ends.length)];
  return byLevelStart(timeline, moment, other);
}

/**
 * As long after the start of the level as in `timeline`, at most the end of the level; the last frame if the level was not reached.
 * @param {Timeline} timeline
 * @param {Moment} moment
 * @param {Timeline} other
 */
function byLevelStart(timeline, { position, time }, other) {
  const level = timeline.levelAt(position);
  const begun = timeline.levels.find((start) => start.level === level)?.position ?? 0;
  const index = other.levels.findIndex((start) => start.level >= level);
  if (index < 0) return other.positions.length - 1;
  const start = other.levels[index];
  if (start.level > level) return start.position;
  const found = other.at(other.positions[start.position].time + Math.max(0, time - timeline.positions[begun].time));
  const end = other.levels[index + 1]?.position ?? other.positions.length;
  return Math.min(Math.max(found, start.position), end - 1);
}
