/** Tiles in words. */

/** @import { Lag, Tile } from "./types" */

/** @type {Readonly<Record<string, string>>} */
const STAGES = Object.freeze({
  consent: "reads the consent",
  survey: "answers the survey",
  tutorial: "is in the tutorial",
  playing: "plays",
  pause: "between environments",
  over: "finished",
  ready: "ready",
  offline: "offline",
});

/** What a station is doing. */
export function stageWords(/** @type {Tile} */ tile) {
  if (tile.paused_at && tile.stage !== "over") return "paused";
  return STAGES[tile.stage] ?? tile.stage;
}

/** m:ss, or h:mm:ss from an hour on. */
export function clock(/** @type {number} */ milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}

/** An age that changes seldom: "just now", steps of ten seconds, minutes. */
export function age(/** @type {number} */ milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 10) return "just now";
  return seconds < 60 ? `${Math.floor(seconds / 10) * 10} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

/** How long a clock has run that stands still during a pause, and while the connection is away. */
export function elapsed(/** @type {number} */ zero, /** @type {Tile} */ tile, /** @type {number} */ now) {
  const at = tile.paused_at ?? now;
  const away = (tile.away ?? []).map(([since, until]) => Math.max(0, Math.min(at, until) - since));
  return at - zero - away.reduce((sum, time) => sum + time, 0);
}

/** Whole minutes; m:ss in the first one. */
export function minutesOrSeconds(/** @type {number} */ milliseconds) {
  return milliseconds < 60_000 ? clock(milliseconds) : `${Math.floor(milliseconds / 60_000)} min`;
}

/** The worst reason to look at a station, with its age. */
export function needWords(/** @type {Tile} */ tile, /** @type {number} */ now) {
  const [need] = tile.needs ?? [];
  if (!need) return "";
  return need.since === null ? need.label : `${need.label} ${clock(now - need.since)}`;
}

/** How the page is connected. */
export function linkWords(/** @type {Tile} */ tile) {
  if (tile.link === "connected") return tile.round_trip_ms == null ? "connected" : `${tile.round_trip_ms} ms`;
  if (tile.link === "lost") return "not connected";
  return tile.link === "silent" ? "no answer" : "";
}

/** The heading of the page: how many need help. */
export function answer(/** @type {number} */ help, /** @type {number} */ people) {
  if (help) return `${help} ${help === 1 ? "station needs" : "stations need"} help`;
  if (!people) return "Nobody is playing";
  return people === 1 ? "The one station is fine" : `All ${people} stations are fine`;
}

/** How fast the screens of a room answer now, and where they do not. */
export function lagWords(/** @type {Lag | undefined} */ lag) {
  if (!lag) return "";
  const slow = lag.slow.length ? ` · slow at station ${lag.slow.join(", ")}` : "";
  return `Press to paint: ${lag.p50}\u00a0ms, 95\u00a0% within ${lag.p95}\u00a0ms${slow}`;
}
