/** How long a run still takes, as far as its pace so far tells. */

const TOO_SOON_MS = 10_000;

/**
 * @typedef {{ ms: number, share: number }} Seen  when, and how much of the whole (0 to 1) was done
 * @param {Seen} first  since when the pace is known @param {Seen} now
 * @returns {string} such as "about 8 minutes left"; nothing while it is too soon to tell
 */
export function remaining(first, now) {
  const [spent, done] = [now.ms - first.ms, now.share - first.share];
  if (spent < TOO_SOON_MS || done <= 0) return "";
  const minutes = Math.round(((1 - now.share) * spent) / done / 60_000);
  if (minutes < 1) return "less than a minute left";
  return `about ${minutes} minute${minutes === 1 ? "" : "s"} left`;
}
