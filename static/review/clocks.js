/** The clocks a replay can run by. Each says when every position of a time line is shown, in milliseconds. */

import { lastNotAfter } from "./timeline.js";

/** How long an action is shown by the per-action clock, however long the participant thought. */
const BEAT_MS = 500;
/** What is left of an idle stretch on either side when it is skipped, so that one sees it begin and end. */
const LEAD_MS = 500;

class Clock {
  /** @param {import("./timeline.js").Timeline} timeline @param {number[]} times  of its positions, ascending */
  constructor(timeline, times) {
    this.timeline = timeline;
    this.times = times;
  }

  get duration() {
    return this.times.at(-1) ?? 0;
  }

  /** The position shown at a time of this clock. */
  at(/** @type {number} */ time) {
    return lastNotAfter(this.times.length, (index) => this.times[index], time);
  }
}

/** Time as it passed for the participant. */
export class RealTime extends Clock {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    super(timeline, timeline.positions.map(({ time }) => time));
  }

  /** What this clock shows at a moment of real time. */
  of(/** @type {number} */ moment) {
    return moment;
  }

  /** @param {number} threshold  milliseconds @returns {{from: number, to: number}[]} */
  idle(threshold) {
    return this.timeline.idle(Math.max(threshold, 2 * LEAD_MS));
  }

  /** The time after `by` milliseconds of watching, idle stretches above `threshold` left out. */
  advance(/** @type {number} */ time, /** @type {number} */ by, /** @type {number} */ threshold = Infinity) {
    let to = time + by;
    for (const gap of this.idle(threshold)) {
      const [from, until] = [Math.max(time, gap.from + LEAD_MS), gap.to - LEAD_MS];
      if (from < to && from < until) to = until + (to - from);
    }
    return to;
  }
}

/** Every action takes the same time, and longer only while its animation plays, whole. */
export class PerAction extends Clock {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    const { entries, pace } = timeline;
    const begins = [0];
    for (const entry of entries) begins.push(begins.at(-1) + Math.max(BEAT_MS, entry.frame_count * pace));
    super(timeline, timeline.positions.map(({ entry, frame }) => begins[entry] + frame * pace));
  }

  of(/** @type {number} */ moment) {
    return this.times[this.timeline.at(moment)];
  }

  /** There is no waiting by this clock. */
  idle() {
    return [];
  }

  advance(/** @type {number} */ time, /** @type {number} */ by) {
    return time + by;
  }
}
