/** How large the cells of grids can be so that all of them are visible in the room there is. */

/** @typedef {{height: number, width: number}} Size  in cells */
/** @typedef {{width: number, height: number}} Room  in CSS pixels */

/** The largest cell in CSS pixels; larger ones make small grids no easier to read. */
const LARGEST_CELL = 64;
/** From this size on cells of enlarged grids are legible and can be met by a finger; below it their room scrolls. */
const LEGIBLE_CELL = 10;
/** Below this size cells cannot be told apart: then the room scrolls. */
const SMALLEST_CELL = 2;

/** The cell of grids that are enlarged: they flow from left to right. @param {readonly Size[]} grids @param {Room} room @param {number} between */
export function enlargedCellFor(grids, room, between) {
  return Math.max(LEGIBLE_CELL, cellFor(grids.map((grid) => [grid]), room, { inside: 0, between, above: 0, least: 0 }));
}

/**
 * The largest cell, in steps of half a pixel, with which all groups of grids, laid out from left to right in as many rows as they need, fit.
 * @param {readonly (readonly Size[])[]} groups  grids of a group stand beside each other, such as input and output
 * @param {Room} room
 * @param {{inside: number, between: number, above: number, least: number}} gaps  pixels between the grids of a group, between groups,
 *   above a group for its caption, and how wide that is
 */
export function cellFor(groups, room, { inside, between, above, least }) {
  for (let cell = LARGEST_CELL; cell > SMALLEST_CELL; cell -= 0.5) {
    const boxes = groups.map((grids) => ({
      width: Math.max(least, grids.reduce((sum, { width }) => sum + width * cell, inside * (grids.length - 1))),
      height: above + Math.max(...grids.map(({ height }) => height * cell)),
    }));
    if (fits(boxes, room, between)) return cell;
  }
  return SMALLEST_CELL;
}

/** @param {readonly Room[]} boxes @param {Room} room @param {number} between */
function fits(boxes, room, between) {
  let [x, y, row] = [0, 0, 0];
  for (const { width, height } of boxes) {
    if (width > room.width) return false;
    if (x > 0 && x + between + width > room.width) [x, y, row] = [0, y + row + between, 0];
    x += (x > 0 ? between : 0) + width;
    row = Math.max(row, height);
  }
  return y + row <= room.height;
}
