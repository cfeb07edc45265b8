/** A moment of a replay in an address: `?a=` an action, `?t=` a time (90, 1:30, 0:01:30), `#action=`, `#level=` and `#end=` (of a level) on the same page. */

import { wordsOf } from "./descriptions.js";
import { clamp } from "./timeline.js";

/** `#end=` goes back so far; the pages that lead here show as much (`review/journal_document.py`). */
const BEFORE_END_MS = 20_000;

/** @import { Timeline } from "./timeline.js" */
/** @import { Words } from "./replay-log.js" */
/** @import { Moment } from "./types" */

/**
 * @typedef {object} LinkedMoment
 * @property {number} [position]
 * @property {number} [time]  milliseconds of real time, if the address names no frame
 * @property {string} [notice]  that the replay has no such moment, or which one it is
 */

/**
 * The moment that an address names; if it names none, the end of the action `first`, or the beginning. If the replay has no such moment, its end or its beginning.
 * @param {URL} address
 * @param {Timeline} timeline
 * @param {string} [first]
 * @param {Words} [words]
 * @returns {LinkedMoment}
 */
export function momentOf(address, timeline, first = "", words = wordsOf({})) {
  const fragment = new URLSearchParams(address.hash.slice(1));
  const level = fragment.get("level");
  if (level !== null) return levelStart(level, timeline, words);
  const end = fragment.get("end");
  if (end !== null) return levelEnd(end, timeline, words);
  const action = fragment.get("action") ?? address.searchParams.get("a");
  if (action !== null) return actionEnd(action, timeline, words);
  const time = address.searchParams.get("t");
  if (time !== null) return momentAt(time, timeline);
  return first ? actionEnd(first, timeline, words) : { position: 0 };
}

/** Seconds of a time as people write it: 90, 90.5, 1:30, 1:02:03; null for anything else. */
function secondsOf(/** @type {string} */ text) {
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(text)) return null;
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

function levelStart(/** @type {string} */ level, /** @type {Timeline} */ timeline, /** @type {Words} */ words) {
  const found = timeline.levels.find((start) => String(start.level) === level);
  if (found) return { position: found.position };
  return missing(/^\d+$/.test(level), `The replay does not reach ${words.level} ${level}`, timeline);
}

/** Some seconds before the last action on a level, but not before the level began. */
function levelEnd(/** @type {string} */ level, /** @type {Timeline} */ timeline, /** @type {Words} */ words) {
  const begun = timeline.levels.find((start) => String(start.level) === level);
  if (!begun) return levelStart(level, timeline, words);
  const last = timeline.entries.findLastIndex((entry) => entry.level === begun.level);
  const began = timeline.positions[begun.position].time;
  const ended = timeline.positions[Math.max(timeline.starts[last] ?? 0, begun.position)].time;
  return { time: Math.max(began, ended - BEFORE_END_MS), notice: `From the last seconds on ${words.level} ${level} on.` };
}

function actionEnd(/** @type {string} */ action, /** @type {Timeline} */ timeline, /** @type {Words} */ words) {
  const isNumber = /^\d+$/.test(action);
  if (isNumber && Number(action) in timeline.ends) return { position: timeline.ends[Number(action)] };
  return missing(isNumber, `There is no ${words.action} ${action}`, timeline);
}

function momentAt(/** @type {string} */ time, /** @type {Timeline} */ timeline) {
  const seconds = secondsOf(time);
  if (seconds !== null && seconds * 1000 <= timeline.duration) return { time: seconds * 1000 };
  return missing(seconds !== null, `There is no moment ${time}`, timeline);
}

/** A number that is too large leads to the end, anything else to the beginning. */
function missing(/** @type {boolean} */ tooLarge, /** @type {string} */ reason, /** @type {Timeline} */ timeline) {
  const position = tooLarge ? clamp(Infinity, timeline.positions.length) : 0;
  return { position, notice: `${reason}: this is the ${tooLarge ? "end" : "beginning"}.` };
}

/**
 * The address of a moment: by its action if a whole action is shown, else by its time.
 * @param {URL} address  of the page now
 * @param {Timeline} timeline
 * @param {Moment} moment
 */
export function addressOf(address, timeline, { position, time }) {
  const link = new URL(address);
  link.hash = "";
  const { entry } = timeline.positions[position];
  const wholeAction = position === timeline.ends[entry] && time === timeline.positions[position].time;
  link.searchParams.delete(wholeAction ? "t" : "a");
  link.searchParams.set(wholeAction ? "a" : "t", wholeAction ? String(entry) : (Math.ceil(time) / 1000).toFixed(3));
  return link;
}
