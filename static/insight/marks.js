/** The marks of a drawing: links with a name, one stop for the tab key, arrows between them, words beside the one pointed at. */

import { next } from "./roving.js";

/** Pixels: words on something larger stand at the pointer. */
const LARGE = 60;
const HINT = "Arrow keys move from mark to mark.";

export class Marks {
  /** @param {HTMLElement} place  where the drawing stands; it keeps its listeners while drawings come and go */
  constructor(place) {
    this.place = place;
    this.links = [];
    this.tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true, ariaHidden: "true" });
    place.append(this.tip);
    place.addEventListener("keydown", (event) => this.onKey(event));
    place.addEventListener("pointerover", (event) => this.point(event.target, event));
    place.addEventListener("focusin", (event) => this.point(event.target));
    for (const kind of ["pointerout", "focusout"]) place.addEventListener(kind, () => this.point(null));
  }

  /** Put a drawing where the last one was. A mark that had the focus has it afterwards. */
  show(/** @type {SVGSVGElement} */ svg) {
    const before = this.links.indexOf(document.activeElement);
    const address = before < 0 ? null : addressOf(this.links[before]);
    this.links = [];
    for (const title of svg.querySelectorAll("title")) this.name(title);
    if (this.links.length) svg.setAttribute("aria-description", HINT);
    this.place.querySelector("svg")?.remove();
    this.place.prepend(svg);
    this.point(null);
    const same = this.links.findIndex((link) => addressOf(link) === address);
    this.stop(same >= 0 ? same : Math.min(Math.max(before, 0), this.links.length - 1));
    if (before >= 0) this.links[this.current]?.focus({ preventScroll: true });
  }

  /** A mark's title becomes its name and the words beside it. */
  name(title) {
    const mark = title.parentElement;
    const link = mark.closest("a");
    (link ?? mark).dataset.tip = title.textContent;
    title.remove();
    if (!link) return;
    link.setAttribute("aria-label", link.dataset.tip);
    this.links.push(link);
  }

  /** The one mark that the tab key reaches. */
  stop(current) {
    this.current = current;
    this.links.forEach((link, index) => link.setAttribute("tabindex", index === current ? "0" : "-1"));
  }

  onKey(event) {
    if (event.key === "Escape") this.tip.hidden = true;
    const at = this.links.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const stacked = event.target.ownerSVGElement.hasAttribute("data-stacked");
    const to = next(this.links.map(placeOf), at, event.key, { stacked });
    if (to === null) return;
    event.preventDefault();
    this.stop(to);
    this.links[to].focus();
  }

  /** Show the words of the mark that an element belongs to, and its series; else of the mark with the focus, if one has it. */
  point(target, at = null) {
    const mark = this.markOf(target) ?? this.markOf(document.activeElement);
    this.light(mark?.closest("[data-series]")?.dataset.series);
    this.tip.hidden = mark === null;
    if (mark === null) return;
    this.tip.textContent = mark.dataset.tip;
    const box = mark.getBoundingClientRect();
    this.putTip(at && Math.max(box.width, box.height) > LARGE ? new DOMRect(at.clientX, at.clientY) : box);
  }

  markOf(target) {
    return this.place.contains(target) ? target.closest("[data-tip]") : null;
  }

  /** Let one series stand out; undefined: all alike. */
  light(series) {
    const svg = this.place.querySelector("svg");
    svg?.classList.toggle("one-lit", series !== undefined);
    for (const part of svg?.querySelectorAll("[data-series]") ?? []) part.classList.toggle("lit", part.dataset.series === series);
  }

  /** Above a box of the page, or else below. */
  putTip(box) {
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
function addressOf(link) {
  return link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href");
}

function placeOf(link) {
  const { left, top, width, height } = link.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, row: link.dataset.row };
}
