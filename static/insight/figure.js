/**
 * `<insight-figure>`: draws the figure embedded in it, again when its width or the colour scheme changes. While it is `live`, it
 * asks for the figure every five seconds that it is in sight. If it cannot be drawn, it says so and opens its table, which has every value.
 */

import { required } from "../shared/required.js";
import { pictureOf, save } from "./export-drawing.js";
import { updateFigure } from "./figure-updates.js";
import { MarkNavigation } from "./mark-navigation.js";

/** @import { Figure, NewerFigure } from "./types" */

const MOST_STRETCHED = 2.5;
/** @type {(() => void)[]} */
const turns = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => turns.shift()?.();

/** Ends in a task of its own: a page draws its figures one after another, and a key or a click between two of them never waits for all. */
function turn() {
  return /** @type {Promise<void>} */ (new Promise((resolve) => {
    turns.push(resolve);
    port2.postMessage(null);
  }));
}

class InsightFigure extends HTMLElement {
  connectedCallback() {
    /** @type {Figure} */
    this.figure = JSON.parse(required(this, 'script[type="application/json"]', HTMLScriptElement).text);
    this.place = required(this, ".drawing", HTMLElement);
    this.marks = new MarkNavigation(this.place);
    /** @type {number} */
    this.drawnWidth = 0;
    for (const button of this.querySelectorAll("button")) button.hidden = false;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-file]"))) {
      button.addEventListener("click", () => this.saveAs(button.dataset.file === "svg" ? "svg" : "png"));
    }
    const link = required(this, "[data-link]", HTMLButtonElement);
    link.addEventListener("click", () => this.copyLink(link.dataset.link ?? ""));
    required(this, "[data-copy]", HTMLButtonElement).addEventListener("click", () => this.copyPicture());
    // The first time after the browser has laid out the page: to ask for the width before would make it do so twice.
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.place);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.redraw = () => this.draw({ always: true });
    this.scheme.addEventListener("change", this.redraw);
    if (this.hasAttribute("live")) this.stopUpdates = updateFigure(this, (figure) => this.update(figure));
  }

  disconnectedCallback() {
    this.sizes?.disconnect();
    if (this.redraw) this.scheme?.removeEventListener("change", this.redraw);
    this.stopUpdates?.();
  }

  /** Draws if the width has changed, or `always`: a drawing that changes nothing would flicker. */
  async draw({ always = false } = {}) {
    const { figure, place, marks } = this;
    if (!figure || !place || !marks) return;
    const width = Math.floor(place.getBoundingClientRect().width);
    if (!figure.rows.length || !width || (width === this.drawnWidth && !always)) return;
    this.drawnWidth = width;
    const reserved = required(place, ".room", SVGElement).getBoundingClientRect().height;
    // Beside a taller figure there is more room than the page reserved for this one.
    const height = Math.floor(Math.min(place.getBoundingClientRect().height, MOST_STRETCHED * reserved));
    const space = { width, height: Math.max(height, Math.floor(reserved)), key: this.id };
    place.setAttribute("aria-busy", "true");
    try {
      const { DRAWINGS } = await import("./drawings.js");
      await turn();
      if (width !== this.drawnWidth) return;
      if (!(figure.kind in DRAWINGS)) return this.showTableInstead();
      const svg = DRAWINGS[figure.kind](figure, space);
      this.label(svg);
      marks.show(svg);
    } catch (error) {
      this.showTableInstead();
      throw error;
    } finally {
      place.removeAttribute("aria-busy");
    }
  }

  showTableInstead() {
    if (this.place) this.place.hidden = true;
    required(this, "details", HTMLDetailsElement).open = true;
    this.say("This figure could not be drawn. The table has all its values. Load the page again to try once more.");
  }

  label(/** @type {SVGSVGElement} */ svg) {
    const links = svg.querySelector("a") !== null;
    svg.setAttribute("role", links ? "figure" : "img");
    svg.removeAttribute("aria-label");
    svg.setAttribute("aria-labelledby", `${this.id}-title ${this.id}-caption`);
    svg.setAttribute("aria-details", `${this.id}-table`);
  }

  /** Shows a newer state of the figure: title, caption, drawing, table. Neither the focus nor what is open changes. */
  update(/** @type {NewerFigure} */ figure) {
    this.figure = figure;
    required(document, `#${CSS.escape(this.id)}-title`, HTMLElement).textContent = figure.title;
    required(this, `#${CSS.escape(this.id)}-caption`, HTMLElement).textContent = figure.caption;
    const empty = figure.rows.length === 0;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-when]"))) {
      part.hidden = (part.dataset.when === "empty") !== empty;
    }
    this.querySelector(".room[height]")?.setAttribute("height", String(figure.height));
    this.updateTable(figure.table);
    return this.draw({ always: true });
  }

  updateTable(/** @type {string} */ rows) {
    const body = required(this, "tbody", HTMLTableSectionElement);
    const focused = body.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    body.innerHTML = rows;
    this.querySelector("sortable-table")?.dispatchEvent(new Event("rows-replaced"));
    if (focused) [...body.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
  }

  saveAs(/** @type {"png" | "svg"} */ kind) {
    if (this.drawn && this.figure) save(this.drawn, kind, this.figure);
  }

  get drawn() {
    return /** @type {SVGSVGElement | null} */ (this.querySelector("svg.plot"));
  }

  /** Copies the drawing to paste it into a text or a talk; saves it where the browser copies no pictures. */
  async copyPicture() {
    if (!this.drawn || !this.figure) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": pictureOf(this.drawn, this.figure.title) })]);
      this.say("Picture of this figure copied.");
    } catch {
      this.saveAs("png");
      this.say("This browser copies no pictures: it is saved as a file.");
    }
  }

  /** Copies a link to this figure that names version and scope, so that it shows the same tomorrow. */
  async copyLink(/** @type {string} */ query) {
    const link = new URL(location.href);
    if (query) link.search = query;
    link.hash = this.id;
    try {
      await navigator.clipboard.writeText(link.href);
      this.say("Link to this figure copied. It names the version and whose results these are.");
    } catch {
      location.replace(link.hash);
      this.say(`Copy this link: ${link.href}`);
    }
  }

  /** Shows a quiet line under the figure, or hides it for an empty sentence. */
  say(/** @type {string} */ sentence) {
    const state = required(this, ".state", HTMLElement);
    state.textContent = sentence;
    state.hidden = sentence === "";
  }
}

customElements.define("insight-figure", InsightFigure);
