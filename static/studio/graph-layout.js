/** Places of the states of a small graph: a column for each number of actions from the start. No DOM. */

/** @typedef {[id: number, x: number | null, y: number | null]} Action */

export const TILE = 40;
const ACROSS = 84;
const DOWN = 52;
const MARGIN = 30;

/**
 * @param {{depth: number}[]} nodes
 * @returns {{places: {x: number, y: number}[], width: number, height: number}}  the middles of the tiles
 */
export function layout(nodes) {
  /** @type {number[]} */
  const rows = [];
  const places = nodes.map(({ depth }) => {
    rows[depth] = (rows[depth] ?? 0) + 1;
    return { x: MARGIN + depth * ACROSS, y: MARGIN + (rows[depth] - 1) * DOWN };
  });
  const tallest = Math.max(...Array.from(rows, (count) => count ?? 0));
  return { places, width: 2 * MARGIN + (rows.length - 1) * ACROSS, height: 2 * MARGIN + (tallest - 1) * DOWN };
}

/**
 * The SVG path of an edge between two middles: straight to a later column, otherwise curved past what lies between.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 */
export function edgePath(from, to) {
  const bow = to.x > from.x ? 0 : TILE;
  const middle = { x: (from.x + to.x) / 2 + bow, y: (from.y + to.y) / 2 - bow / 2 };
  return `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`;
}

/**
 * The actions that first led from the start to a state.
 * @param {[number, number, Action][]} tree  from, to, the action
 * @param {number} index
 * @returns {Action[]}
 */
export function actionsTo(tree, index) {
  const before = new Map(tree.map(([from, to, action]) => [to, { from, action }]));
  /** @type {Action[]} */
  const actions = [];
  for (let step = before.get(index); step; step = before.get(step.from)) actions.unshift(step.action);
  return actions;
}
