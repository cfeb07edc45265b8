/** `<replay-progress>`: levels completed by actions, in this attempt and with the fewest actions known. Event: `seek` with an entry. */

import { element } from "../shared/drawing.js";
import { fewestSteps, progressSummary, stepsOf } from "./progress-steps.js";

/** @import { Step } from "./progress-steps.js" */
/** @import { Entry } from "./types" */

const [WIDTH, HEIGHT] = [1000, 40];

export class ReplayProgress extends HTMLElement {
  #lastEntry = 0;
  #mostActions = 1;
  #levels = 1;
  #now = element("line", { class: "now", y1: "0", y2: String(HEIGHT) });

  /** @param {Entry[]} entries @param {(number | null)[]} fewest  actions for each level */
  draw(entries, fewest) {
    const own = stepsOf(entries);
    const best = fewestSteps(fewest, own[0].levels);
    this.#lastEntry = entries.length - 1;
    this.#mostActions = Math.max(1, own[own.length - 1].actions, best[best.length - 1].actions);
    this.#levels = Math.max(1, fewest.length, ...own.map(({ levels }) => levels));
    const summary = progressSummary(own, best);
    const attributes = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary };
    const drawing = element("svg", attributes, this.#line("best", best), this.#line("own", own), this.#now);
    drawing.addEventListener("click", (event) => this.#seek(event, drawing));
    const legend = document.createElement("p");
    legend.innerHTML = "<i class='own'></i> this replay<br><i class='best'></i> fewest known";
    this.replaceChildren(drawing, legend);
    this.title = summary;
  }

  show(/** @type {number} */ entry) {
    for (const end of ["x1", "x2"]) this.#now.setAttribute(end, String(this.#across(entry)));
  }

  #across(/** @type {number} */ actions) {
    return (WIDTH * actions) / this.#mostActions;
  }

  #line(/** @type {string} */ name, /** @type {Step[]} */ steps) {
    const up = (/** @type {number} */ levels) => HEIGHT - 2 - ((HEIGHT - 4) * levels) / this.#levels;
    const path = steps.map(({ actions, levels }, index) => (
      index ? `H${this.#across(actions)}V${up(levels)}` : `M${this.#across(actions)} ${up(levels)}`
    ));
    return element("path", { class: name, d: path.join(""), "vector-effect": "non-scaling-stroke" });
  }

  #seek(/** @type {MouseEvent} */ event, /** @type {Element} */ drawing) {
    const box = drawing.getBoundingClientRect();
    const action = Math.round((this.#mostActions * (event.clientX - box.left)) / box.width);
    this.dispatchEvent(new CustomEvent("seek", { detail: Math.min(this.#lastEntry, Math.max(0, action)) }));
  }
}

customElements.define("replay-progress", ReplayProgress);
