/** Which mark the arrow keys reach: along x with left and right, along y with up and down. Every mark can be reached either way. */

/**
 * @param {{x: number, y: number}[]} places  centres of the marks, y downwards
 * @param {number} at  which one has the focus
 * @param {string} key
 * @returns {number | null}  null: the key is none of ours
 */
export function next(places, at, key) {
  const order = [...places.keys()];
  if (key === "ArrowLeft" || key === "ArrowRight") order.sort((one, other) => places[one].x - places[other].x || places[one].y - places[other].y || one - other);
  else if (key === "ArrowUp" || key === "ArrowDown") order.sort((one, other) => places[one].y - places[other].y || places[one].x - places[other].x || one - other);
  else if (key === "Home") return 0;
  else if (key === "End") return places.length - 1;
  else return null;
  const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  return order[Math.max(0, Math.min(order.length - 1, order.indexOf(at) + step))];
}
