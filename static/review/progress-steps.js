/** How far an attempt had come after each action, beside the fewest actions known. No page. */

/**
 * @typedef {object} Step  from this action on so many levels are completed
 * @property {number} actions
 * @property {number} levels
 */

/**
 * @param {{seq: number, levels_completed: number}[]} entries  in order, the opening first
 * @returns {Step[]}  one for the beginning and one for each change; the last tells the end
 */
export function played(entries) {
  const changes = entries.filter((entry, index) => index === 0 || entry.levels_completed !== entries[index - 1].levels_completed);
  const end = /** @type {{seq: number, levels_completed: number}} */ (entries.at(-1));
  return [...changes, end].map(({ seq, levels_completed }) => ({ actions: seq, levels: levels_completed }));
}

/**
 * The same of whoever needs no more than the fewest actions known. It ends before the first level for which none is known.
 * @param {(number | null)[]} fewest  for each level
 * @returns {Step[]}
 */
export function fewestSteps(fewest) {
  const known = fewest.includes(null) ? fewest.slice(0, fewest.indexOf(null)) : fewest;
  const steps = [{ actions: 0, levels: 0 }];
  for (const actions of known) {
    const { actions: before, levels } = steps[steps.length - 1];
    steps.push({ actions: before + Number(actions), levels: levels + 1 });
  }
  return steps;
}

/** A sentence for both, for as many levels as the attempt completed and a way is known to. */
export function progressWords(/** @type {Step[]} */ own, /** @type {Step[]} */ best) {
  const end = own[own.length - 1];
  const levels = Math.min(end.levels, best.length - 1);
  const completed = `${end.levels} level${end.levels === 1 ? "" : "s"} completed in ${end.actions} action${end.actions === 1 ? "" : "s"}`;
  if (best.length === 1) return `${completed}; no shortest way is known.`;
  if (levels === 1) return `${completed}; level 1 took ${used(own, 1)}, the fewest known is ${best[1].actions}.`;
  if (levels === 0) return `${completed}; the fewest known for level 1 is ${best[1].actions}.`;
  return `${completed}; the first ${levels} took ${used(own, levels)}, the fewest known for them is ${best[levels].actions}.`;
}

function used(/** @type {Step[]} */ steps, /** @type {number} */ levels) {
  return steps.find((step) => step.levels === levels)?.actions;
}
