/**
 * The marks of a drawing: labelled links, one of them reached by the tab key, arrow keys between them, and a tip beside the current one.
 * A mouse need not hit a small mark: the nearest one is meant.
 */

import { nextMark } from "../shared/arrow-keys.js";

/** Pixels: the tip of a larger mark stands at the pointer. */
const LARGE = 60;
/** Pixels from a small mark's middle within which it is meant. */
const REACH = 24;
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
    /** The mark that the mouse means without hitting it. @type {Element | null} */
    this.near = null;
    /** The small marks and their middles in the drawing; null until the mouse asks. @type {{mark: Element, x: number, y: number}[] | null} */
    this.spots = null;
    this.tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true, ariaHidden: "true" });
    place.append(this.tip);
    place.addEventListener("keydown", (event) => this.onKey(event));
    place.addEventListener("pointermove", (event) => this.point(event.target, event));
    place.addEventListener("click", (event) => this.followNear(event));
    place.addEventListener("focusin", (event) => this.point(event.target));
    for (const kind of ["pointerleave", "focusout"]) place.addEventListener(kind, () => this.point(null));
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
    this.spots = null;
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
    const hit = this.markOf(target);
    this.near = hit || !at || at.target instanceof HTMLElement ? null : this.nearest(at);
    this.place.classList.toggle("near", this.near instanceof SVGAElement);
    const mark = hit ?? this.near ?? this.markOf(document.activeElement);
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

  /** The small mark whose middle is nearest to the mouse, if one is within reach. */
  nearest(/** @type {MouseEvent} */ at) {
    const box = this.place.querySelector("svg.plot")?.getBoundingClientRect();
    if (!box) return null;
    this.spots ??= smallMarks(this.place, box);
    /** @type {Element | null} */
    let found = null;
    let least = REACH;
    for (const { mark, x, y } of this.spots) {
      const distance = Math.hypot(at.clientX - box.left - x, at.clientY - box.top - y);
      if (distance < least) [found, least] = [mark, distance];
    }
    return found;
  }

  /** Follows the link of the mark that is meant, as if it had been hit. */
  followNear(/** @type {MouseEvent} */ event) {
    if (!this.near || this.markOf(event.target)) return;
    const { ctrlKey, metaKey, shiftKey } = event;
    this.near.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
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

/** @param {HTMLElement} place @param {DOMRect} around  the box of the drawing */
function smallMarks(place, around) {
  return [...place.querySelectorAll("[data-tip]")].flatMap((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect();
    return Math.max(width, height) > LARGE ? [] : [{ mark, x: left + width / 2 - around.left, y: top + height / 2 - around.top }];
  });
}

/** Plot's links have the older attribute for their address. */
function addressOf(/** @type {SVGAElement} */ link) {
  return link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href");
}

function placeOf(/** @type {SVGAElement} */ link) {
  const { left, top, width, height } = link.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, row: link.dataset.row };
}
