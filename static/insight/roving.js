/** Which mark the arrow keys reach. Every mark can be reached by them. */

/**
 * Marks in rows: left and right along the row, up and down to the nearest of the next row. Marks without rows: left and right along x
 * through all of them, up and down along y.
 * @param {{x: number, y: number, row?: string}[]} places  centres of the marks, y downwards
 * @param {number} at  which one has the focus
 * @param {string} key
 * @param {{stacked?: boolean}} arrangement  stacked: rows stand upright, so that the keys change places
 * @returns {number | null}  null: the key is none of ours
 */
export function next(places, at, key, { stacked = false } = {}) {
  if (key === "Home") return 0;
  if (key === "End") return places.length - 1;
  if (!(key in STEPS)) return null;
  const [axis, step] = STEPS[key];
  if (places[at].row === undefined) return along(places, [...places.keys()], at, axis, step);
  const turned = stacked ? OTHER : SAME;
  if (axis === turned.x) return along(places, inRow(places, places[at].row), at, axis, step);
  return nearest(places, at, turned, step);
}

const STEPS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", -1], ArrowDown: ["y", 1] };
const SAME = { x: "x", y: "y" };
const OTHER = { x: "y", y: "x" };

/** One on among `some`, in their order along an axis; at the end, the same one. */
function along(places, some, at, axis, step) {
  const across = OTHER[axis];
  const apart = (one, other, name) => places[one][name] - places[other][name];
  const order = some.sort((one, other) => apart(one, other, axis) || apart(one, other, across) || one - other);
  return order[Math.max(0, Math.min(order.length - 1, order.indexOf(at) + step))];
}

/** In the row before or after this one, the mark nearest to it. Rows follow each other by their middle. */
function nearest(places, at, { x, y }, step) {
  const rows = [...new Set(places.map((place) => place.row))].map((row) => {
    const members = inRow(places, row);
    return { members, middle: members.reduce((sum, index) => sum + places[index][y], 0) / members.length };
  });
  rows.sort((one, other) => one.middle - other.middle);
  const own = rows.findIndex(({ members }) => members.includes(at));
  const next = rows[own + step];
  if (!next) return at;
  const distance = (index) => Math.abs(places[index][x] - places[at][x]);
  return next.members.reduce((best, index) => (distance(index) < distance(best) ? index : best));
}

function inRow(places, row) {
  return [...places.keys()].filter((index) => places[index].row === row);
}
