/** Two attempts side by side: which moment of the other belongs to the one shown. */

import { within } from "./timeline.js";

export const ALIGNMENTS = Object.freeze({ time: "by time", action: "by action", level: "by level start" });

/**
 * The position of `other` that belongs to a moment of `timeline`.
 * @param {keyof typeof ALIGNMENTS} alignment
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{position: number, time: number}} moment  time: milliseconds of real time
 * @param {import("./timeline.js").Timeline} other
 */
export function aligned(alignment, timeline, moment, other) {
  if (alignment === "time") return other.at(moment.time);
  if (alignment === "action") return other.ends[within(timeline.positions[moment.position].entry, other.ends.length)];
  return byLevelStart(timeline, moment, other);
}

/** As long after the level's start as here, and no further than the level's end; its last frame where it was never reached. */
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
