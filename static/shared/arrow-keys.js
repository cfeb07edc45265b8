/** Which mark an arrow key leads to. The keys reach every mark. */

/** @typedef {{x: number, y: number, row?: string | number}} Place  centre of a mark, y downwards */
/** @typedef {"x" | "y"} Axis */

/** @type {Record<string, [Axis, 1 | -1]>} */
const STEPS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", -1], ArrowDown: ["y", 1] };
/** @type {Record<Axis, Axis>} */
const SAME = { x: "x", y: "y" };
/** @type {Record<Axis, Axis>} */
const OTHER = { x: "y", y: "x" };

/**
 * Marks in rows: left and right along the row, up and down to the nearest of the next row. Marks without rows: left and right along x
 * through all of them, up and down along y.
 * @param {Place[]} places
 * @param {number} at  which one has the focus
 * @param {string} key
 * @param {{stacked?: boolean}} arrangement  stacked: rows stand upright, so that the keys change places
 * @returns {number | null}  null for any other key
 */
export function nextMark(places, at, key, { stacked = false } = {}) {
  if (key === "Home") return 0;
  if (key === "End") return places.length - 1;
  if (!(key in STEPS)) return null;
  const [axis, step] = STEPS[key];
  if (places[at].row === undefined) return along(places, [...places.keys()], at, axis, step);
  const turned = stacked ? OTHER : SAME;
  if (axis === turned.x) return along(places, inRow(places, places[at].row), at, axis, step);
  return inNextRow(places, at, turned, step);
}

/** The next one among `some` in their order along an axis; at the end, the same one. @param {Place[]} places @param {number[]} some @param {number} at @param {Axis} axis @param {1 | -1} step */
function along(places, some, at, axis, step) {
  const across = OTHER[axis];
  const apart = (/** @type {number} */ one, /** @type {number} */ other, /** @type {Axis} */ name) => places[one][name] - places[other][name];
  const order = some.toSorted((one, other) => apart(one, other, axis) || apart(one, other, across) || one - other);
  return order[Math.max(0, Math.min(order.length - 1, order.indexOf(at) + step))];
}

/** The nearest mark of the row before or after this one. Rows are ordered by their middle. @param {Place[]} places @param {number} at @param {Record<Axis, Axis>} axes @param {1 | -1} step */
function inNextRow(places, at, { x, y }, step) {
  const rows = [...new Set(places.map((place) => place.row))].map((row) => {
    const members = inRow(places, row);
    return { members, middle: members.reduce((sum, index) => sum + places[index][y], 0) / members.length };
  });
  rows.sort((one, other) => one.middle - other.middle);
  const own = rows.findIndex(({ members }) => members.includes(at));
  const next = rows[own + step];
  if (!next) return at;
  const distance = (/** @type {number} */ index) => Math.abs(places[index][x] - places[at][x]);
  return next.members.reduce((best, index) => (distance(index) < distance(best) ? index : best));
}

/** @param {Place[]} places @param {Place["row"]} row */
function inRow(places, row) {
  return [...places.keys()].filter((index) => places[index].row === row);
}
