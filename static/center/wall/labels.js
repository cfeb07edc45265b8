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

const AT_ONCE = 5;
const AT_ONCE_MS = 30_000;

/** How many connections were lost within half a minute, from five on: then the network is what needs help. */
function lostAtOnce(/** @type {Tile[]} */ tiles) {
  const lost = tiles.flatMap((tile) => (tile.needs?.[0]?.code === "connection_lost" ? [tile.needs[0].since ?? 0] : [])).toSorted((one, other) => one - other);
  const counts = lost.map((since) => lost.filter((other) => other >= since && other < since + AT_ONCE_MS).length);
  const most = Math.max(0, ...counts);
  return most >= AT_ONCE ? most : 0;
}

/** The heading of the page: how many need help. @param {Tile[]} tiles  with a session */
export function answer(tiles) {
  const people = tiles.filter((tile) => tile.stage !== "over");
  const lost = lostAtOnce(people);
  const help = people.filter((tile) => tile.urgent).length - lost;
  const others = help ? `${help} ${lost ? `more ${help === 1 ? "needs" : "need"}` : help === 1 ? "station needs" : "stations need"} help` : "";
  if (lost) return `${lost} stations lost their connection at once: see to the network${others && `; ${others}`}`;
  if (help) return others;
  if (!people.length) return "Nobody is playing";
  const looks = people.filter((tile) => tile.needs?.length).length;
  if (looks) return `Keep an eye on ${looks} of ${people.length} ${people.length === 1 ? "station" : "stations"}`;
  return ["The one station is fine", "Both stations are fine"][people.length - 1] ?? `All ${people.length} stations are fine`;
}

/** How fast the screens of a room answer now, and where they do not. */
export function lagWords(/** @type {Lag | undefined} */ lag) {
  if (!lag) return "";
  const slow = lag.slow.length ? ` · slow at station ${lag.slow.join(", ")}` : "";
  return `Press to paint: ${lag.p50}\u00a0ms, 95\u00a0% within ${lag.p95}\u00a0ms${slow}`;
}
