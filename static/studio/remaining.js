/** Estimates how long a job still takes from its speed so far. */

const TOO_SOON_MS = 10_000;

/**
 * @typedef {{ ms: number, share: number }} Seen  when, and how much of the whole (0 to 1) was done
 * @param {Seen} first  the first observation
 * @param {Seen} now
 * @returns {string} such as "about 8 minutes left"; empty while it is too soon
 */
export function remaining(first, now) {
  const [spent, done] = [now.ms - first.ms, now.share - first.share];
  if (spent < TOO_SOON_MS || done <= 0) return "";
  const minutes = Math.round(((1 - now.share) * spent) / done / 60_000);
  if (minutes < 1) return "less than a minute left";
  return `about ${minutes} minute${minutes === 1 ? "" : "s"} left`;
}
