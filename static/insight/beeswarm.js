/** Dots moved aside so that none hides another. Places are in pixels; y is moved, and x only if nothing else is possible. */

/** @import { Point } from "./types" */

const GAP = 0.75;
/** Radius of a dot, and how far from the middle of its row it may be moved: the first that has room for every row. */
const SIZES = Object.freeze([{ radius: 4, reach: 44 }, { radius: 3, reach: 56 }, { radius: 2, reach: 76 }]);
const CROWDED = Object.freeze({ radius: 1.5, reach: 84 });

/**
 * @param {number[][]} rows  for each row its dots' x
 * @param {[number, number]} bounds  least and most x that a dot may be moved to
 * @returns {{radius: number, rows: Point[][]}} y from the row's middle; in the order given
 */
export function beeswarm(rows, [left, right] = [-Infinity, Infinity]) {
  for (const { radius, reach } of SIZES) {
    const placed = rows.map((places) => moveAside(places, radius, reach));
    if (placed.every((row) => row !== null)) return { radius, rows: placed };
  }
  const { radius, reach } = CROWDED;
  return { radius, rows: rows.map((places) => moveAside(places, radius, reach) ?? inColumns(places, { radius, reach, left, right })) };
}

/**
 * Each dot at its own x, as near to the middle as the dots before it allow; null if one would be past `reach`.
 * @param {number[]} places
 * @param {number} radius
 * @param {number} reach
 * @returns {Point[] | null}
 */
function moveAside(places, radius, reach) {
  const distance = 2 * radius + GAP;
  const order = [...places.keys()].toSorted((one, other) => places[one] - places[other]);
  const placed = places.map((x) => ({ x, y: 0 }));
  let first = 0;
  for (const [nth, index] of order.entries()) {
    while (placed[order[first]].x <= places[index] - distance) first += 1;
    const y = nearestFree(places[index], order.slice(first, nth).map((before) => placed[before]), distance);
    if (Math.abs(y) + radius > reach) return null;
    placed[index].y = y;
  }
  return placed;
}

/** The y nearest to 0 at this distance from all neighbours. @param {number} x @param {Point[]} neighbours @param {number} distance */
function nearestFree(x, neighbours, distance) {
  const candidates = neighbours.flatMap((neighbour) => {
    const away = Math.sqrt(distance ** 2 - (x - neighbour.x) ** 2);
    return [neighbour.y + away, neighbour.y - away];
  });
  const isFree = (/** @type {number} */ y) =>
    neighbours.every((neighbour) => (x - neighbour.x) ** 2 + (y - neighbour.y) ** 2 >= distance ** 2 - 1e-6);
  return [0, ...candidates.toSorted((one, other) => Math.abs(one) - Math.abs(other))].find(isFree) ?? 0;
}

/**
 * Dots in columns; a dot whose own column is full stands in the nearest column that is not.
 * @param {number[]} places
 * @param {{radius: number, reach: number, left: number, right: number}} limits
 * @returns {Point[]}
 */
function inColumns(places, { radius, reach, left, right }) {
  const distance = 2 * radius + GAP;
  const room = Math.max(1, Math.floor((2 * reach - 2 * radius) / distance) + 1);
  /** @type {Map<number, number>} */
  const taken = new Map();
  const bounded = right - left >= (places.length / room + 2) * distance;
  const isOutside = (/** @type {number} */ column) => bounded && (column * distance < left || column * distance > right);
  return places.map((x) => {
    const own = Math.round(x / distance);
    let [column, away] = [own, 0];
    while ((taken.get(column) ?? 0) >= room || isOutside(column)) column = own + alternating((away += 1));
    const nth = taken.get(column) ?? 0;
    taken.set(column, nth + 1);
    return { x: column * distance, y: alternating(nth) * distance };
  });
}

/** 0, 1, -1, 2, -2 … */
function alternating(/** @type {number} */ nth) {
  return nth % 2 ? (nth + 1) / 2 : -nth / 2;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const FARTHEST = 24;

/**
 * Marks at the very same place, spread around it in a sunflower pattern, but not past `bounds`; others stay where they are.
 * @param {Point[]} places
 * @param {number} radius
 * @param {{left: number, right: number, top: number, bottom: number}} bounds
 * @returns {Point[]}
 */
export function spread(places, radius, { left, right, top, bottom }) {
  const groups = Map.groupBy(places, keyOf);
  /** @type {Map<string, number>} */
  const seen = new Map();
  return places.map((place) => {
    const { x, y } = place;
    const key = keyOf(place);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const away = nth && Math.min(radius * 1.7 * Math.sqrt(nth), FARTHEST * Math.sqrt(nth / (groups.get(key)?.length ?? 1)));
    return { x: within(x + away * Math.cos(nth * GOLDEN), left, right), y: within(y + away * Math.sin(nth * GOLDEN), top, bottom) };
  });
}

/** A place, mirrored at a bound that it is past. @param {number} place @param {number} least @param {number} most */
function within(place, least, most) {
  const mirrored = place < least ? 2 * least - place : place > most ? 2 * most - place : place;
  return Math.max(least, Math.min(most, mirrored));
}

function keyOf(/** @type {Point} */ { x, y }) {
  return `${Math.round(x)},${Math.round(y)}`;
}
