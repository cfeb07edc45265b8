/** How many levels were completed after how many actions, beside the fewest actions known. Needs no page. */

/** @typedef {{actions: number, levels: number}} Step  after this many actions this many levels are completed */

/**
 * @param {Pick<import("./types").Entry, "seq" | "levels_completed">[]} entries  in order, the opening first
 * @returns {Step[]}  one for the beginning, one for each change, one for the end
 */
export function stepsOf(entries) {
  const changes = entries.filter((entry, index) => index === 0 || entry.levels_completed !== entries[index - 1].levels_completed);
  return [...changes, ...entries.slice(-1)].map(({ seq, levels_completed }) => ({ actions: seq, levels: levels_completed }));
}

/**
 * The steps of a player who needs the fewest actions known, up to the first level for which none are known.
 * @param {(number | null)[]} fewest  for each level
 * @param {number} done  levels that are completed at the beginning: of what begins on a later level, those before it
 * @returns {Step[]}
 */
export function fewestSteps(fewest, done = 0) {
  const steps = [{ actions: 0, levels: done }];
  for (const actions of fewest.slice(done)) {
    if (actions === null) break;
    const before = steps[steps.length - 1];
    steps.push({ actions: before.actions + actions, levels: before.levels + 1 });
  }
  return steps;
}

/** Compares both in a sentence, for the levels that the attempt completed and whose fewest actions are known. */
export function progressSummary(/** @type {Step[]} */ own, /** @type {Step[]} */ best) {
  const end = own[own.length - 1];
  const done = own[0].levels;
  const levels = Math.min(end.levels - done, best.length - 1);
  const completed = `${count(end.levels - done, "level")} completed in ${count(end.actions, "action")}`;
  if (best.length === 1) return `${completed}; the fewest actions are not known.`;
  if (levels === 1) return `${completed}; level ${done + 1} took ${actionsUntil(own, done + 1)}, the fewest known is ${best[1].actions}.`;
  if (levels === 0) return `${completed}; the fewest known for level ${done + 1} is ${best[1].actions}.`;
  return `${completed}; the first ${levels} took ${actionsUntil(own, done + levels)}, the fewest known for them is ${best[levels].actions}.`;
}

function actionsUntil(/** @type {Step[]} */ steps, /** @type {number} */ levels) {
  return steps.find((step) => step.levels === levels)?.actions;
}

function count(/** @type {number} */ number, /** @type {string} */ noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
