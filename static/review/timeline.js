/** A journal as a time line: when each frame was shown, where levels begin, where the next step leads. Needs no page and no clock. */

/** @import { Entry, LevelStart, Position, Range } from "./types" */

export class Timeline {
  /**
   * @param {Entry[]} entries  in order, the opening frame first
   * @param {number} framesPerSecond  pace of animations
   */
  constructor(entries, framesPerSecond) {
    this.entries = entries;
    /** Milliseconds between two frames of an animation. */
    this.pace = 1000 / framesPerSecond;
    /** @type {Position[]} */
    this.positions = entries.flatMap((entry, index) => positionsOf(entry, index, entries[index + 1], this.pace));
    /** @type {number[]} the position of each entry's first frame */
    this.starts = [];
    /** @type {number[]} the position of each entry's last frame */
    this.ends = [];
    this.positions.forEach(({ entry, frame }, index) => {
      if (frame === 0) this.starts[entry] = index;
      this.ends[entry] = index;
    });
    /** @type {LevelStart[]} */
    this.levels = this.#levelStarts();
  }

  /** Milliseconds from the opening frame to the last. */
  get duration() {
    return this.positions.at(-1)?.time ?? 0;
  }

  /** The level the board shows at a position. */
  levelAt(/** @type {number} */ position) {
    return this.levels.findLast((start) => start.position <= position)?.level ?? 1;
  }

  /** The position shown at a time: the last one that is not later. */
  at(/** @type {number} */ time) {
    return lastNotAfter(this.positions.length, (index) => this.positions[index].time, time);
  }

  /** The position some frames on (or back, when negative). */
  byFrame(/** @type {number} */ position, /** @type {number} */ steps) {
    return clamp(position + steps, this.positions.length);
  }

  /** The end of the action before or after; from the middle of an animation, back is to the end of the action before. */
  byAction(/** @type {number} */ position, /** @type {number} */ steps) {
    return this.ends[clamp(this.positions[position].entry + steps, this.ends.length)];
  }

  /** The start of the level after (1), or of this one, or, from there, of the one before (-1). */
  byLevel(/** @type {number} */ position, /** @type {number} */ direction) {
    const starts = this.levels.map((start) => start.position);
    const found = direction > 0 ? starts.find((start) => start > position) : starts.findLast((start) => start < position);
    return found ?? position;
  }

  /** The first frame of the submission after (1) or before (-1); the position itself if there is none. */
  bySubmission(/** @type {number} */ position, /** @type {number} */ direction) {
    const submitted = this.entries.flatMap((entry, index) => (entry.submission ? [this.starts[index]] : []));
    const found = direction > 0 ? submitted.find((start) => start > position) : submitted.findLast((start) => start < position);
    return found ?? position;
  }

  /**
   * Stretches longer than `threshold` milliseconds in which nothing moved and nobody acted.
   * @returns {Range[]}
   */
  idle(/** @type {number} */ threshold) {
    return this.entries.slice(1)
      .map((entry, index) => ({ from: this.positions[this.ends[index]].time, to: entry.time }))
      .filter(({ from, to }) => to - from > threshold);
  }

  #levelStarts() {
    /** @type {LevelStart[]} */
    const starts = [];
    let shown = 0;
    for (const [index, entry] of this.entries.entries()) {
      const level = entry.opened ?? (entry.level_completed && entry.state !== "WIN" ? entry.levels_completed + 1 : entry.level);
      const begins = entry.opened ? level !== shown : level > shown;
      if (begins) starts.push({ level, position: this.ends[index] });
      shown = begins ? level : shown;
    }
    return starts;
  }
}

/**
 * The last of `count` ascending values that is not above `wanted`; the first when all are.
 * @param {number} count
 * @param {(index: number) => number} value
 * @param {number} wanted
 */
export function lastNotAfter(count, value, wanted) {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (value(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The frames of an entry as the participant's page showed them (`play/turn-taking.js`): a press ends an animation with its last
 * frame.
 * @returns {Position[]}
 */
function positionsOf(
  /** @type {Entry} */ entry, /** @type {number} */ index, /** @type {Entry | undefined} */ next,
  /** @type {number} */ pace,
) {
  const available = next ? timeUntilPress(entry, next) : Infinity;
  return Array.from({ length: entry.frame_count }, (_, frame) => ({
    entry: index, frame, time: entry.time + Math.min(frame * pace, available),
    seen: frame === entry.frame_count - 1 || frame * pace < available,
  }));
}

/** Milliseconds from an entry's first frame to the next press; by the server's clock if the station's times are unknown. */
function timeUntilPress(/** @type {Entry} */ entry, /** @type {Entry} */ next) {
  const between = next.time - entry.time;
  if (entry.client_time == null || next.client_time == null || next.previous_paint == null) return between;
  return Math.min(between, Math.max(0, next.client_time - entry.client_time - next.previous_paint));
}

/** The nearest index of a list. @param {number} index @param {number} length */
export function clamp(index, length) {
  return Math.min(length - 1, Math.max(0, index));
}
