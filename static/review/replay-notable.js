/** `<replay-notable>`: how often what is worth a look happened; each button goes to the next such moment. Event: `next` with its kind. */

/** @import { KINDS, Mark } from "./marks.js" */
/** @import { Timeline } from "./timeline.js" */

/** @typedef {keyof typeof KINDS | "idle"} NotableKind */
/** @typedef {{kind: NotableKind, label: string, time: number}} Notable  at milliseconds of real time */

/** The kinds that are worth a look, in reading order, with what a button with their number says. @type {Readonly<Partial<Record<NotableKind, string>>>} */
export const NOTABLE_KINDS = Object.freeze({
  right: "right", wrong: "wrong", lost: "lost", reset: "reset", unchanged: "without effect", idle: "idle", prompt: "prompt",
  pause: "paused", staff: "staff", fault: "fault", comment: "comment",
});

/**
 * In order of time. Actions without effect one after another are one moment: the first of them.
 * @param {Mark[]} marks
 * @param {Timeline} timeline
 * @param {number} idleLimit  longer idle stretches, in milliseconds, are worth a look
 * @returns {Notable[]}
 */
export function notableOf(marks, timeline, idleLimit) {
  /** @type {Notable[]} */
  const found = [];
  let last = -2;
  for (const mark of marks) {
    if (!(mark.kind in NOTABLE_KINDS)) continue;
    const { entry, time } = "time" in mark ? { entry: -2, time: mark.time } : timeline.positions[mark.position];
    const goesOn = mark.kind === "unchanged" && entry === last + 1;
    if (mark.kind === "unchanged") last = entry;
    if (!goesOn) found.push({ kind: mark.kind, label: mark.label, time });
  }
  for (const { from, to } of timeline.idle(idleLimit)) {
    found.push({ kind: "idle", label: `nothing was done for ${Math.round((to - from) / 1000)} s`, time: from });
  }
  return found.toSorted((one, other) => one.time - other.time);
}

/**
 * The number of the next moment after a time, or with a `direction` of -1 of the last one before it; the first after the last, and so on.
 * @param {Notable[]} moments  at least one
 * @param {number} time
 * @param {1 | -1} direction
 */
export function nextNotable(moments, time, direction) {
  if (direction === 1) return Math.max(0, moments.findIndex((moment) => moment.time > time));
  const before = moments.findLastIndex((moment) => moment.time < time);
  return before < 0 ? moments.length - 1 : before;
}

export class ReplayNotable extends HTMLElement {
  /** @param {Notable[]} moments */
  draw(moments) {
    const buttons = Object.entries(NOTABLE_KINDS).flatMap(([kind, words]) => {
      const count = moments.filter((moment) => moment.kind === kind).length;
      return count ? [this.#button(/** @type {NotableKind} */ (kind), count, words)] : [];
    });
    const focused = document.activeElement instanceof HTMLElement && this.contains(document.activeElement) ? document.activeElement.dataset.kind : "";
    this.replaceChildren(...buttons);
    if (focused) buttons.find((button) => button.dataset.kind === focused)?.focus();
  }

  #button(/** @type {NotableKind} */ kind, /** @type {number} */ count, /** @type {string} */ words) {
    const button = Object.assign(document.createElement("button"), { type: "button", title: "To the next of them" });
    button.dataset.kind = kind;
    button.append(Object.assign(document.createElement("b"), { textContent: String(count) }), ` ${words}`);
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("next", { detail: kind })));
    return button;
  }
}

customElements.define("replay-notable", ReplayNotable);
