/**
 * `<grid-patterns>`: turns a pattern on each colour of the page's pictures of grids on or off, for people who cannot distinguish
 * some of them. Off at first; stored in this browser, for every page with such pictures.
 */

import { MARKS_SIDE, marksOn } from "../shared/colour-patterns.js";
import { element } from "../shared/drawing.js";

const STORAGE_KEY = "patterns-of-pictures";

export class GridPatterns extends HTMLElement {
  #button = document.createElement("button");
  /** Parts of a page that are replaced while sessions run come without patterns. */
  #observer = new MutationObserver(() => this.#mark());
  #patterns = element("svg", { width: 0, height: 0, "aria-hidden": "true" });

  connectedCallback() {
    this.#button.type = "button";
    this.#button.className = "secondary outline small-button";
    this.#button.textContent = "Colour patterns";
    this.#button.addEventListener("click", () => this.#toggle());
    this.replaceChildren(this.#button, this.#patterns);
    this.#show(window.localStorage.getItem(STORAGE_KEY) === "on");
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  #toggle() {
    const wanted = this.#button.getAttribute("aria-pressed") !== "true";
    if (wanted) window.localStorage.setItem(STORAGE_KEY, "on");
    else window.localStorage.removeItem(STORAGE_KEY);
    this.#show(wanted);
  }

  #show(/** @type {boolean} */ wanted) {
    this.#button.setAttribute("aria-pressed", String(wanted));
    this.#observer.disconnect();
    if (wanted) {
      this.#mark();
      this.#observer.observe(document.body, { childList: true, subtree: true });
    } else {
      for (const marks of document.querySelectorAll(".task-grid .marks")) marks.remove();
    }
  }

  /** Lays the pattern of each colour over its cells, where there is none yet. */
  #mark() {
    for (const cells of document.querySelectorAll(".task-grid path[data-colour]:not(:has(+ .marks))")) {
      const colour = Number(cells.getAttribute("data-colour"));
      const name = `marks-of-${colour}`;
      if (!this.#patterns.querySelector(`#${name}`)) this.#patterns.append(pattern(name, colour));
      cells.after(element("path", { class: "marks", d: cells.getAttribute("d") ?? "", fill: `url(#${name})` }));
    }
  }
}

/** A pattern of the size of a cell. @param {string} id @param {number} colour  index in the palette */
function pattern(id, colour) {
  const { ink, rows } = marksOn(colour);
  const found = element("pattern", { id, width: 1, height: 1, patternUnits: "userSpaceOnUse" });
  const side = 1 / MARKS_SIDE;
  rows.forEach((row, y) => [...row].forEach((mark, x) => {
    if (mark === "#") found.append(element("rect", { x: x * side, y: y * side, width: side, height: side, fill: ink }));
  }));
  return found;
}

customElements.define("grid-patterns", GridPatterns);
