/** `<replay-bar>`: the seek bar with its marks; where a mouse points, the frame there. Event: `seek` with a time of the clock. */

import { SIDE } from "../shared/codec.js";
import { drawCells } from "../shared/drawing.js";

/** @import { Clock } from "./clocks.js" */
/** @import { Mark } from "./marks.js" */

export class ReplayBar extends HTMLElement {
  #marks = document.createElement("div");
  #range = document.createElement("input");
  #canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  #words = document.createElement("span");
  #peek = Object.assign(document.createElement("p"), { className: "peek", hidden: true, ariaHidden: "true" });
  /** The frame at a time of the clock, and what it is. @type {((time: number) => {frame: Uint8Array, text: string}) | null} */
  preview = null;

  connectedCallback() {
    this.#marks.className = "marks";
    this.#marks.setAttribute("aria-hidden", "true");
    Object.assign(this.#range, { type: "range", min: "0", step: "1", value: "0" });
    this.#range.setAttribute("aria-label", "Time");
    this.#range.addEventListener("input", () => {
      this.dispatchEvent(new CustomEvent("seek", { detail: Number(this.#range.value) }));
    });
    this.#peek.append(this.#canvas, this.#words);
    this.replaceChildren(this.#marks, this.#range, this.#peek);
    this.addEventListener("pointermove", (event) => this.#showPeek(event));
    this.addEventListener("pointerleave", () => { this.#peek.hidden = true; });
  }

  #showPeek(/** @type {PointerEvent} */ event) {
    if (!this.preview || event.pointerType === "touch") return;
    const box = this.#marks.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
    const { frame, text } = this.preview(share * Number(this.#range.max));
    drawCells(this.#canvas, frame);
    this.#words.textContent = text;
    this.#peek.hidden = false;
    const half = this.#peek.offsetWidth / 2;
    const whole = this.getBoundingClientRect().width;
    this.#peek.style.left = `${Math.max(half, Math.min(whole - half, event.clientX - this.getBoundingClientRect().left))}px`;
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
