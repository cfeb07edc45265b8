/** Which moment of a replay is shown and how it moves on: by which clock, how fast, with or without idle time. Needs no page. */

import { PerAction, RealTime } from "./clocks.js";

/** @import { Clock } from "./clocks.js" */
/** @import { Timeline } from "./timeline.js" */
/** @import { Moment, StoredMoment } from "./types" */

/** @typedef {"action" | "frame" | "level" | "submission"} StepUnit */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Events: `moment` if another moment is shown; `playing` if it starts or pauses; `clock` if the clock or the idle limit changed. */
export class Playback extends EventTarget {
  speed = 1;
  skipsIdle = false;
  #idleLimit = 10_000;
  /** @type {Clock} */
  #clock;
  #position = 0;
  #time = 0;
  #playing = false;
  #lastTick = 0;

  /** @param {Timeline} timeline */
  constructor(timeline) {
    super();
    this.timeline = timeline;
    this.#clock = new RealTime(timeline);
  }

  get clock() {
    return this.#clock;
  }

  get playing() {
    return this.#playing;
  }

  /** The index of the position shown. */
  get position() {
    return this.#position;
  }

  /** Milliseconds by the clock. */
  get time() {
    return this.#time;
  }

  /** Idle stretches longer than this are marked, and skipped if `skipsIdle`; milliseconds. */
  get idleLimit() {
    return this.#idleLimit;
  }

  set idleLimit(milliseconds) {
    this.#idleLimit = milliseconds;
    this.dispatchEvent(new Event("clock"));
  }

  /** The moment shown, in real time. @returns {Moment} */
  get moment() {
    const { time } = this.timeline.positions[this.#position];
    return { position: this.#position, time: this.#clock instanceof RealTime ? this.#time : time };
  }

  /** @returns {StoredMoment} */
  get storedMoment() {
    const { position, time } = this.moment;
    return { seq: this.timeline.positions[position].entry, seconds: Math.ceil(time) / 1000 };
  }

  /** Shows a position, and its moment on the clock. */
  goTo(/** @type {number} */ position) {
    this.#time = this.#clock.times[position];
    this.#show(position);
  }

  /** Shows the last frame of an entry. */
  goToEntry(/** @type {number} */ entry) {
    this.goTo(this.timeline.ends[entry]);
  }

  /** Shows a moment of real time, by any clock. */
  goToTime(/** @type {number} */ moment) {
    this.seek(this.#clock.of(moment));
  }

  /** Shows a time of the clock. */
  seek(/** @type {number} */ time) {
    this.#time = Math.min(time, this.#clock.duration);
    this.#show(this.#clock.at(this.#time));
  }

  /** Pauses, and moves by a number of actions or frames, or to the next level or submission; back if it is negative. @param {StepUnit} unit @param {number} count */
  step(unit, count) {
    this.pause();
    if (unit === "action") this.goTo(this.timeline.byAction(this.#position, count));
    else if (unit === "frame") this.goTo(this.timeline.byFrame(this.#position, count));
    else if (unit === "submission") this.goTo(this.timeline.bySubmission(this.#position, count));
    else this.goTo(this.timeline.byLevel(this.#position, count));
  }

  toEnd() {
    this.goTo(this.timeline.positions.length - 1);
  }

  useClock(/** @type {string} */ name) {
    this.#clock = name === "action" ? new PerAction(this.timeline) : new RealTime(this.timeline);
    this.dispatchEvent(new Event("clock"));
    this.goTo(this.#position);
  }

  /** Plays from the beginning again if it is at the end. */
  toggle() {
    if (this.#playing) return this.pause();
    if (this.#time >= this.#clock.duration) this.goTo(0);
    this.#playing = true;
    this.#lastTick = performance.now();
    this.dispatchEvent(new Event("playing"));
    requestAnimationFrame(this.#tick);
    return undefined;
  }

  pause() {
    if (!this.#playing) return;
    this.#playing = false;
    this.dispatchEvent(new Event("playing"));
  }

  #tick = (/** @type {number} */ now) => {
    if (!this.#playing) return;
    const passed = Math.max(0, now - this.#lastTick) * this.speed;
    this.#lastTick = now;
    this.seek(this.#clock.advance(this.#time, passed, this.skipsIdle ? this.#idleLimit : Infinity));
    if (this.#time < this.#clock.duration) {
      requestAnimationFrame(this.#tick);
      return;
    }
    this.pause();
  };

  #show(/** @type {number} */ position) {
    this.#position = position;
    this.dispatchEvent(new Event("moment"));
  }
}
