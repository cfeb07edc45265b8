/** The clocks a replay can run by. Each gives the time of every position of a time line, in milliseconds. */

import { lastNotAfter } from "./timeline.js";

/** @import { Timeline } from "./timeline.js" */
/** @import { Range } from "./types" */

/** The per-action clock shows an action for this time, however long the participant thought. */
const BEAT_MS = 500;
/** When an idle stretch is skipped, this much of its beginning and of its end is still shown. */
const LEAD_MS = 500;

/** A clock without idle time. */
export class Clock {
  /** @param {Timeline} timeline @param {number[]} times  of its positions, ascending */
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

  /** What this clock shows at a moment of real time. */
  of(/** @type {number} */ moment) {
    return this.times[this.timeline.at(moment)];
  }

  /**
   * @param {number} _threshold  milliseconds
   * @returns {Range[]} the longer stretches in which nothing happened
   */
  idle(_threshold) {
    return [];
  }

  /**
   * The time after watching for `by` milliseconds, without the idle stretches above `_threshold`.
   * @param {number} time
   * @param {number} by
   * @param {number} [_threshold]
   */
  advance(time, by, _threshold = Infinity) {
    return time + by;
  }
}

/** Time as it passed for the participant. */
export class RealTime extends Clock {
  /** @param {Timeline} timeline */
  constructor(timeline) {
    super(timeline, timeline.positions.map(({ time }) => time));
  }

  /** @override @param {number} moment */
  of(moment) {
    return moment;
  }

  /** @override @param {number} threshold */
  idle(threshold) {
    return this.timeline.idle(Math.max(threshold, 2 * LEAD_MS));
  }

  /** @override @param {number} time @param {number} by @param {number} [threshold] */
  advance(time, by, threshold = Infinity) {
    let to = time + by;
    for (const gap of this.idle(threshold)) {
      const [from, until] = [Math.max(time, gap.from + LEAD_MS), gap.to - LEAD_MS];
      if (from < to && from < until) to = until + (to - from);
    }
    return to;
  }
}

/** Every action takes the same time, and longer only while its whole animation plays. */
export class PerAction extends Clock {
  /** @param {Timeline} timeline */
  constructor(timeline) {
    const { entries, pace } = timeline;
    const begins = [0];
    for (const [index, entry] of entries.entries()) begins.push(begins[index] + Math.max(BEAT_MS, entry.frame_count * pace));
    super(timeline, timeline.positions.map(({ entry, frame }) => begins[entry] + frame * pace));
  }
}
