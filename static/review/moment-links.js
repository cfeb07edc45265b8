/** A moment of a replay in an address: `?a=` an action, `?t=` a time (90, 1:30, 0:01:30), or `#action=` and `#level=` on the same page. */

/**
 * The moment an address names: a position, or a time where no frame is named; the beginning when it names nothing.
 * What it names but the replay does not have leads to the end of the replay, or to its beginning, and is `said`.
 * @param {URL} address
 * @param {import("./timeline.js").Timeline} timeline
 * @returns {{position: number, said?: string} | {time: number, said?: string}}
 */
export function momentOf(address, timeline) {
  const fragment = new URLSearchParams(address.hash.slice(1));
  const level = fragment.get("level");
  if (level !== null) return ofLevel(level, timeline);
  const action = fragment.get("action") ?? address.searchParams.get("a");
  if (action !== null) return ofAction(action, timeline);
  const time = address.searchParams.get("t");
  return time === null ? { position: 0 } : ofTime(time, timeline);
}

/** Seconds of a time as people write it: 90, 90.5, 1:30, 1:02:03; null of anything else. */
export function secondsOf(/** @type {string} */ text) {
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(text)) return null;
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

function ofLevel(/** @type {string} */ level, /** @type {import("./timeline.js").Timeline} */ timeline) {
  const found = timeline.levels.find((start) => String(start.level) === level);
  if (found) return { position: found.position };
  return beyond(/^\d+$/.test(level), `Level ${level} was not reached`, timeline);
}

function ofAction(/** @type {string} */ action, /** @type {import("./timeline.js").Timeline} */ timeline) {
  const known = /^\d+$/.test(action);
  if (known && Number(action) in timeline.ends) return { position: timeline.ends[Number(action)] };
  return beyond(known, `There is no action ${action}`, timeline);
}

function ofTime(/** @type {string} */ time, /** @type {import("./timeline.js").Timeline} */ timeline) {
  const seconds = secondsOf(time);
  if (seconds !== null && seconds * 1000 <= timeline.duration) return { time: seconds * 1000 };
  return beyond(seconds !== null, `There is no moment ${time}`, timeline);
}

function beyond(/** @type {boolean} */ atTheEnd, /** @type {string} */ words, /** @type {import("./timeline.js").Timeline} */ timeline) {
  const position = atTheEnd ? timeline.positions.length - 1 : 0;
  return { position, said: `${words}: this is the ${atTheEnd ? "end" : "beginning"}.` };
}

/**
 * The address of a moment: by its action where a whole action is shown, else by its time.
 * @param {URL} address  of the page now
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{position: number, time: number}} moment  time: milliseconds of real time
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
