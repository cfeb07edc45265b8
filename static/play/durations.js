/** Times as text. */

/** @param {number} seconds @returns {string} such as "12:05" */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {number} seconds @returns {string} such as "12 minutes", or seconds below one minute */
export function duration(seconds) {
  return seconds < 60 ? count(Math.round(seconds), "second") : count(Math.round(seconds / 60), "minute");
}

/** @param {number} number @param {string} noun */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
