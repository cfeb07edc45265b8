/** `<replay-bar>`: the seek bar with its marks. Event: `seek` with a time of the clock. */

/** @import { Clock } from "./clocks.js" */
/** @import { Mark } from "./marks.js" */

export class ReplayBar extends HTMLElement {
  #marks = document.createElement("div");
  #range = document.createElement("input");

  connectedCallback() {
    this.#marks.className = "marks";
    this.#marks.setAttribute("aria-hidden", "true");
    Object.assign(this.#range, { type: "range", min: "0", step: "1", value: "0" });
    this.#range.setAttribute("aria-label", "Time");
    this.#range.addEventListener("input", () => {
      this.dispatchEvent(new CustomEvent("seek", { detail: Number(this.#range.value) }));
    });
    this.replaceChildren(this.#marks, this.#range);
  }

  /**
   * @param {Clock} clock
   * @param {Mark[]} marks
   * @param {number} idleLimit  longer idle stretches, in milliseconds, are hatched
   */
  draw(clock, marks, idleLimit) {
    this.#range.max = String(Math.max(1, Math.ceil(clock.duration)));
    const percent = (/** @type {number} */ time) => (100 * Math.min(time, clock.duration)) / Math.max(1, clock.duration);
    this.#marks.replaceChildren(
      ...clock.idle(idleLimit).map(({ from, to }) => piece("idle", percent(from), "nothing was done", percent(to) - percent(from))),
      ...marks.map((mark) => piece(mark.kind, percent("time" in mark ? clock.of(mark.time) : clock.times[mark.position]), mark.label)),
    );
  }

  /** @param {number} time  of the clock @param {string} text  the moment, for screen readers */
  show(time, text) {
    this.#range.value = String(Math.round(time));
    this.#range.setAttribute("aria-valuetext", text);
  }
}

/** @param {string} kind @param {number} left  percent @param {string} label @param {number} [width]  percent */
function piece(kind, left, label, width = 0) {
  const mark = document.createElement("i");
  mark.className = kind;
  mark.title = label;
  mark.style.left = `${left}%`;
  if (width) mark.style.width = `${width}%`;
  return mark;
}

customElements.define("replay-bar", ReplayBar);
