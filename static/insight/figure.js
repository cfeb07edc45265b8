/**
 * `<insight-figure>`: draws the figure embedded in it, again when its width or the colour scheme changes, and, while it is `live`,
 * asks for it again every five seconds that it is in sight.
 */

import { save } from "./files.js";
import { Marks } from "./marks.js";
import { Updates } from "./updates.js";

class InsightFigure extends HTMLElement {
  connectedCallback() {
    this.figure = JSON.parse(this.querySelector('script[type="application/json"]').textContent);
    this.place = this.querySelector(".drawing");
    this.marks = new Marks(this.place);
    for (const button of this.querySelectorAll("[data-file]")) {
      button.hidden = false;
      button.addEventListener("click", () => this.saveAs(button.dataset.file));
    }
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.place);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => this.draw({ anew: true });
    this.scheme.addEventListener("change", this.repaint);
    if (this.hasAttribute("live")) this.updates = new Updates(this, (figure) => this.update(figure));
    this.draw();
  }

  disconnectedCallback() {
    this.sizes.disconnect();
    this.scheme.removeEventListener("change", this.repaint);
    this.updates?.stop();
  }

  /** Only when the width is another one, unless `anew`: a drawing that changes nothing would flicker. */
  async draw({ anew = false } = {}) {
    const width = Math.floor(this.place.getBoundingClientRect().width);
    if (!this.figure.rows.length || !width || (width === this.width && !anew)) return;
    this.width = width;
    const { draw } = await import(`./kinds/${this.figure.kind}.js`);
    if (width !== this.width) return;
    const svg = draw(this.figure, { width, key: this.id });
    this.name(svg);
    this.marks.show(svg);
  }

  name(svg) {
    const links = svg.querySelector("a") !== null;
    svg.setAttribute("role", links ? "figure" : "img");
    svg.removeAttribute("aria-label");
    svg.setAttribute("aria-labelledby", `${this.id}-title ${this.id}-caption`);
    svg.setAttribute("aria-details", `${this.id}-table`);
  }

  /** Take over a newer state of the figure: words, drawing, table. Neither focus nor what is open changes. */
  update(figure) {
    this.figure = figure;
    this.querySelector(`#${CSS.escape(this.id)}-title`).textContent = figure.title;
    this.querySelector(`#${CSS.escape(this.id)}-caption`).textContent = figure.caption;
    const empty = figure.rows.length === 0;
    for (const part of this.querySelectorAll("[data-when]")) part.hidden = (part.dataset.when === "empty") !== empty;
    this.updateTable(figure.table);
    return this.draw({ anew: true });
  }

  updateTable(rows) {
    const body = this.querySelector("tbody");
    const focused = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    body.innerHTML = rows;
    const sorted = this.querySelector("th[aria-sort]");
    if (sorted) this.querySelector("sortable-table").sort(sorted, sorted.ariaSort === "descending");
    if (focused) [...body.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
  }

  saveAs(kind) {
    const paper = getComputedStyle(this).getPropertyValue("--paper");
    return save(this.place.querySelector("svg"), kind, { name: this.figure.name, title: this.figure.title, paper });
  }

  /** A quiet line under the figure; none when there is nothing to say. */
  say(sentence) {
    const state = this.querySelector(".state");
    state.textContent = sentence;
    state.hidden = sentence === "";
  }
}

customElements.define("insight-figure", InsightFigure);
