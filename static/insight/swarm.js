/** Dots moved aside so that none hides another. Places are in pixels; what is moved is y, x only where there is no other way. */

const GAP = 0.75;
/** Radius of a dot, and how far from the middle of its row it may be moved: the first that has room for every row. */
const SIZES = Object.freeze([{ radius: 4, reach: 44 }, { radius: 3, reach: 56 }, { radius: 2, reach: 76 }]);
const CROWDED = Object.freeze({ radius: 1.5, reach: 84 });

/**
 * @param {number[][]} rows  for each row its dots' x
 * @param {[number, number]} bounds  least and most x that a dot may be moved to
 * @returns {{radius: number, rows: {x: number, y: number}[][]}} y from the row's middle; in the order given
 */
export function swarms(rows, [left, right] = [-Infinity, Infinity]) {
  for (const { radius, reach } of SIZES) {
    const placed = rows.map((places) => aside(places, radius, reach));
    if (placed.every((row) => row !== null)) return { radius, rows: placed };
  }
  const { radius, reach } = CROWDED;
  return { radius, rows: rows.map((places) => aside(places, radius, reach) ?? packed(places, { radius, reach, left, right })) };
}

/** Each dot at its own x, as near to the middle as those before it allow; null when one would be past `reach`. */
export function aside(places, radius, reach) {
  const distance = 2 * radius + GAP;
  const order = [...places.keys()].sort((one, other) => places[one] - places[other]);
  const placed = places.map((x) => ({ x, y: 0 }));
  let first = 0;
  for (const [nth, index] of order.entries()) {
    while (placed[order[first]].x <= places[index] - distance) first += 1;
    const y = free(places[index], order.slice(first, nth).map((before) => placed[before]), distance);
    if (Math.abs(y) + radius > reach) return null;
    placed[index].y = y;
  }
  return placed;
}

/** The y nearest to 0 that keeps its distance from all neighbours. */
function free(x, neighbours, distance) {
  const candidates = neighbours.flatMap((neighbour) => {
    const away = Math.sqrt(distance ** 2 - (x - neighbour.x) ** 2);
    return [neighbour.y + away, neighbour.y - away];
  });
  const clear = (y) => neighbours.every((neighbour) => (x - neighbour.x) ** 2 + (y - neighbour.y) ** 2 >= distance ** 2 - 1e-6);
  return [0, ...candidates.sort((one, other) => Math.abs(one) - Math.abs(other))].find(clear) ?? 0;
}

/** Dots in columns; those for whom their own column has no room stand in the nearest that has. */
export function packed(places, { radius, reach, left, right }) {
  const distance = 2 * radius + GAP;
  const room = Math.max(1, Math.floor((2 * reach - 2 * radius) / distance) + 1);
  const taken = new Map();
  const within = right - left >= (places.length / room + 2) * distance;
  const outside = (column) => within && (column * distance < left || column * distance > right);
  return places.map((x) => {
    const own = Math.round(x / distance);
    let [column, away] = [own, 0];
    while ((taken.get(column) ?? 0) >= room || outside(column)) column = own + inTurns((away += 1));
    const nth = taken.get(column) ?? 0;
    taken.set(column, nth + 1);
    return { x: column * distance, y: inTurns(nth) * distance };
  });
}

/** 0, 1, -1, 2, -2 … */
function inTurns(/** @type {number} */ nth) {
  return nth % 2 ? (nth + 1) / 2 : -nth / 2;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const FARTHEST = 24;

/** Marks at the very same place, spread around it like the seeds of a sunflower; others stay where they are. */
export function spread(places, radius) {
  const groups = Map.groupBy(places, ({ x, y }) => `${Math.round(x)},${Math.round(y)}`);
  const seen = new Map();
  return places.map(({ x, y }) => {
    const key = `${Math.round(x)},${Math.round(y)}`;
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const away = nth && Math.min(radius * 1.7 * Math.sqrt(nth), FARTHEST * Math.sqrt(nth / groups.get(key).length));
    return { x: x + away * Math.cos(nth * GOLDEN), y: y + away * Math.sin(nth * GOLDEN) };
  });
}
