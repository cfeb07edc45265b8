/** The marks of a drawing: labelled links, one of them reached by the tab key, arrow keys between them, and a tip beside the current one. */

import { nextMark } from "../shared/arrow-keys.js";

/** Pixels: the tip of a larger mark stands at the pointer. */
const LARGE = 60;
const HINT = "Arrow keys move from mark to mark.";

export class MarkNavigation {
  /** @param {HTMLElement} place  where the drawing stands; it keeps its listeners while drawings come and go */
  constructor(place) {
    this.place = place;
    /** @type {SVGAElement[]} */
    this.links = [];
    this.current = 0;
    /** @type {Element | null} */
    this.described = null;
    this.tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true, ariaHidden: "true" });
    place.append(this.tip);
    place.addEventListener("keydown", (event) => this.onKey(event));
    place.addEventListener("pointerover", (event) => this.point(event.target, event));
    place.addEventListener("focusin", (event) => this.point(event.target));
    for (const kind of ["pointerout", "focusout"]) place.addEventListener(kind, () => this.point(null));
  }

  /** Replaces the drawing. A mark that had the focus has it afterwards. */
  show(/** @type {SVGSVGElement} */ svg) {
    const before = this.links.findIndex((link) => link === document.activeElement);
    const address = before < 0 ? null : addressOf(this.links[before]);
    this.links = [];
    for (const title of svg.querySelectorAll("title")) this.label(title);
    if (this.links.length) svg.setAttribute("aria-description", HINT);
    this.place.querySelector("svg.plot")?.remove();
    this.place.prepend(svg);
    this.point(null);
    const same = this.links.findIndex((link) => addressOf(link) === address);
    this.makeCurrent(same >= 0 ? same : Math.min(Math.max(before, 0), this.links.length - 1));
    if (before >= 0) this.links[this.current]?.focus({ preventScroll: true });
  }

  /** Makes a mark's title its label and its tip. */
  label(/** @type {Element} */ title) {
    const text = title.textContent ?? "";
    const link = title.closest("a");
    const mark = link ?? title.parentElement;
    mark?.setAttribute("data-tip", text);
    title.remove();
    if (!(link instanceof SVGAElement)) return;
    link.setAttribute("aria-label", text);
    this.links.push(link);
  }

  /** Makes one mark the one that the tab key reaches. */
  makeCurrent(/** @type {number} */ current) {
    this.current = current;
    this.links.forEach((link, index) => link.setAttribute("tabindex", index === current ? "0" : "-1"));
  }

  onKey(/** @type {KeyboardEvent} */ event) {
    if (event.key === "Escape") this.tip.hidden = true;
    const at = this.links.findIndex((link) => link === event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const stacked = this.links[at].ownerSVGElement?.hasAttribute("data-stacked");
    const to = nextMark(this.links.map(placeOf), at, event.key, { stacked });
    if (to === null) return;
    event.preventDefault();
    this.makeCurrent(to);
    this.links[to].focus();
  }

  /**
   * Shows the tip of the mark that an element belongs to, and its series; else of the mark with the focus, if one has it.
   * @param {EventTarget | null} target
   * @param {MouseEvent | null} at
   */
  point(target, at = null) {
    const mark = this.markOf(target) ?? this.markOf(document.activeElement);
    this.highlight(mark?.closest("[data-series]")?.getAttribute("data-series"));
    this.tip.hidden = !mark;
    if (!mark) return;
    this.describe(mark);
    const box = mark.getBoundingClientRect();
    this.putTip(at && Math.max(box.width, box.height) > LARGE ? new DOMRect(at.clientX, at.clientY) : box);
  }

  /** Fills the tip: what the mark says, under its picture if it has one. */
  describe(/** @type {Element} */ mark) {
    if (mark === this.described) return;
    this.described = mark;
    const picture = mark.getAttribute("data-picture");
    this.tip.textContent = mark.getAttribute("data-tip");
    if (picture) this.tip.prepend(Object.assign(new Image(128, 128), { src: picture, alt: "" }));
  }

  markOf(/** @type {EventTarget | null} */ target) {
    return target instanceof Element && this.place.contains(target) ? target.closest("[data-tip]") : null;
  }

  /** Highlights one series; without one, all are alike. */
  highlight(/** @type {string | null | undefined} */ series) {
    const svg = this.place.querySelector("svg");
    svg?.classList.toggle("one-lit", series != null);
    for (const part of svg?.querySelectorAll("[data-series]") ?? []) part.classList.toggle("lit", part.getAttribute("data-series") === series);
  }

  /** Puts the tip above a box of the page, or else below. */
  putTip(/** @type {DOMRect} */ box) {
    const around = this.place.getBoundingClientRect();
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = box.left + box.width / 2 - around.left - width / 2;
    const { scrollLeft, scrollTop } = this.place;
    this.tip.style.left = `${Math.max(0, Math.min(left, around.width - width)) + scrollLeft}px`;
    const over = box.top - around.top - height - 6;
    this.tip.style.top = `${(over >= -height ? over : box.bottom - around.top + 6) + scrollTop}px`;
  }
}

/** Plot's links have the older attribute for their address. */
function addressOf(/** @type {SVGAElement} */ link) {
  return link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href");
}

function placeOf(/** @type {SVGAElement} */ link) {
  const { left, top, width, height } = link.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, row: link.dataset.row };
}
