/** A moment of a replay in an address: `?a=` an action, `?t=` seconds, or `#action=` and `#level=` on the same page. */

/**
 * The moment an address names: a position, or a time where no frame is named; the beginning when it names nothing.
 * @param {URL} address
 * @param {import("./timeline.js").Timeline} timeline
 * @returns {{position: number} | {time: number}}
 */
export function momentOf(address, timeline) {
  const fragment = new URLSearchParams(address.hash.slice(1));
  const level = timeline.levels.find((start) => String(start.level) === fragment.get("level"));
  if (level) return { position: level.position };
  const action = fragment.get("action") ?? address.searchParams.get("a");
  const seconds = Number.parseFloat(address.searchParams.get("t") ?? "");
  if (action === null && seconds >= 0) return { time: Math.min(seconds * 1000, timeline.duration) };
  return { position: timeline.ends[Number(action)] ?? 0 };
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
