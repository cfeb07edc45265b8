/** `<replay-progress>`: levels completed by actions, this attempt's and with the fewest known. Says `seek` with an entry. */

import { fewestSteps, played, progressWords } from "./progress-steps.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 40];

export class ReplayProgress extends HTMLElement {
  #entries = [];
  #most = 1;
  #levels = 1;

  /** @param {any[]} entries @param {(number | null)[]} fewest  actions for each level */
  open(entries, fewest) {
    this.#entries = entries;
    const [own, best] = [played(entries), fewestSteps(fewest)];
    this.#most = Math.max(1, own[own.length - 1].actions, best[best.length - 1].actions);
    this.#levels = Math.max(1, fewest.length, ...own.map(({ levels }) => levels));
    const words = progressWords(own, best);
    const drawing = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words });
    this.now = shape("line", { class: "now", y1: "0", y2: String(HEIGHT) });
    drawing.append(this.#line("best", best), this.#line("own", own), this.now);
    const legend = document.createElement("p");
    legend.innerHTML = "<i class='own'></i> this replay<br><i class='best'></i> fewest known";
    this.replaceChildren(drawing, legend);
    this.title = words;
    drawing.addEventListener("click", (event) => this.#seek(/** @type {MouseEvent} */ (event), drawing));
  }

  show(/** @type {number} */ entry) {
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, String(this.#across(entry)));
  }

  #across(/** @type {number} */ actions) {
    return (WIDTH * actions) / this.#most;
  }

  #line(/** @type {string} */ name, /** @type {import("./progress-steps.js").Step[]} */ steps) {
    const up = (/** @type {number} */ levels) => HEIGHT - 2 - ((HEIGHT - 4) * levels) / this.#levels;
    const path = steps.map(({ actions, levels }, index) => (
      index ? `H${this.#across(actions)}V${up(levels)}` : `M${this.#across(actions)} ${up(levels)}`
    ));
    return shape("path", { class: name, d: path.join(""), "vector-effect": "non-scaling-stroke" });
  }

  #seek(/** @type {MouseEvent} */ event, /** @type {Element} */ drawing) {
    const box = drawing.getBoundingClientRect();
    const action = Math.round((this.#most * (event.clientX - box.left)) / box.width);
    const entry = Math.min(this.#entries.length - 1, Math.max(0, action));
    this.dispatchEvent(new CustomEvent("seek", { detail: { entry } }));
  }
}

/** @param {string} name @param {Record<string, string>} attributes */
function shape(name, attributes) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

customElements.define("replay-progress", ReplayProgress);
