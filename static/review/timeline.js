/**
 * A journal as a time line: where every frame lies in time, where levels begin, where the next step leads. No page, no clock.
 *
 * @typedef {object} Entry  one of `journal.json`'s entries
 * @property {number} seq
 * @property {number} action
 * @property {number} level  on which the action was made, from 1
 * @property {number} levels_completed  after it
 * @property {boolean} level_completed
 * @property {string} state
 * @property {number} time  milliseconds since the opening frame
 * @property {number} frame_count
 *
 * @typedef {{entry: number, frame: number, time: number}} Position  a frame of an entry, and when it was shown
 * @typedef {{level: number, position: number}} LevelStart  the position that shows the level's first frame
 */

const RESET = 0;

export class Timeline {
  /**
   * @param {Entry[]} entries  in order, the opening frame first
   * @param {number} framesPerSecond  pace of animations; one that the next action cut short is shown faster
   */
  constructor(entries, framesPerSecond) {
    this.entries = entries;
    /** @type {Position[]} */
    this.positions = entries.flatMap((entry, index) => positionsOf(entry, index, entries[index + 1], framesPerSecond));
    /** @type {number[]} the position of each entry's last frame */
    this.ends = [];
    this.positions.forEach((position, index) => { this.ends[position.entry] = index; });
    /** @type {LevelStart[]} */
    this.levels = this.#levelStarts();
    /** @type {number[]} entries in which the level was reset */
    this.resets = entries.filter((entry) => entry.seq > 0 && entry.action === RESET).map((entry) => entry.seq);
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
    let low = 0;
    let high = this.positions.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.positions[middle].time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The position some frames on (or back, when negative). */
  byFrame(/** @type {number} */ position, /** @type {number} */ steps) {
    return within(position + steps, this.positions.length);
  }

  /** The end of the action before or after; from the middle of an animation, back is to the end of the action before. */
  byAction(/** @type {number} */ position, /** @type {number} */ steps) {
    return this.ends[within(this.positions[position].entry + steps, this.ends.length)];
  }

  /** The start of the level after (1), or of this one, or, from there, of the one before (-1). */
  byLevel(/** @type {number} */ position, /** @type {number} */ direction) {
    const starts = this.levels.map((start) => start.position);
    const found = direction > 0 ? starts.find((start) => start > position) : starts.findLast((start) => start < position);
    return found ?? position;
  }

  #levelStarts() {
    const starts = [];
    let shown = 0;
    for (const [index, entry] of this.entries.entries()) {
      const level = entry.level_completed && entry.state !== "WIN" ? entry.levels_completed + 1 : entry.level;
      if (level > shown) starts.push({ level, position: this.ends[index] });
      shown = Math.max(shown, level);
    }
    return starts;
  }
}

/** @returns {Position[]} */
function positionsOf(
  /** @type {Entry} */ entry, /** @type {number} */ index, /** @type {Entry | undefined} */ next,
  /** @type {number} */ framesPerSecond,
) {
  const room = next ? (next.time - entry.time) / entry.frame_count : Infinity;
  const pace = Math.min(1000 / framesPerSecond, room);
  return Array.from({ length: entry.frame_count }, (_, frame) => (
    { entry: index, frame, time: entry.time + frame * pace }
  ));
}

/** @param {number} index @param {number} length */
function within(index, length) {
  return Math.min(length - 1, Math.max(0, index));
}
