/** The marks of a drawing: links with a name, one stop for the tab key, arrows between them, words beside the one pointed at. */

import { next } from "./roving.js";

export class Marks {
  /** @param {HTMLElement} place  where the drawing stands; it keeps its listeners while drawings come and go */
  constructor(place) {
    this.place = place;
    this.tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    place.append(this.tip);
    place.addEventListener("keydown", (event) => this.onKey(event));
    for (const kind of ["pointerover", "focusin"]) place.addEventListener(kind, (event) => this.point(event.target));
    for (const kind of ["pointerout", "focusout"]) place.addEventListener(kind, () => this.point(null));
  }

  /** Put a drawing where the last one was; who had the focus keeps it. */
  show(svg) {
    this.links = [];
    for (const title of svg.querySelectorAll("title")) this.name(title);
    const focused = this.keyOf(document.activeElement);
    const had = this.place.contains(document.activeElement);
    this.place.querySelector("svg")?.remove();
    this.place.prepend(svg);
    this.tip.hidden = true;
    this.current = Math.max(0, this.links.findIndex((link) => focused !== null && this.keyOf(link) === focused));
    this.links.forEach((link, index) => link.setAttribute("tabindex", index === this.current ? "0" : "-1"));
    if (had && this.links.length) this.links[this.current].focus({ preventScroll: true });
  }

  /** A mark's title becomes its name and the words beside it. */
  name(title) {
    const mark = title.parentElement;
    const link = mark.closest("a");
    const named = link ?? mark;
    named.dataset.tip = title.textContent;
    if (link) {
      link.setAttribute("aria-label", title.textContent);
      this.links.push(link);
    }
    title.remove();
  }

  keyOf(element) {
    return this.links.includes(element) || this.place.contains(element) ? element?.getAttributeNS("http://www.w3.org/1999/xlink", "href") ?? null : null;
  }

  onKey(event) {
    if (event.key === "Escape") this.tip.hidden = true;
    const at = this.links?.indexOf(event.target) ?? -1;
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = next(this.links.map(centre), at, event.key);
    if (to === null) return;
    event.preventDefault();
    this.links[at].setAttribute("tabindex", "-1");
    this.links[to].setAttribute("tabindex", "0");
    this.links[to].focus();
    this.current = to;
  }

  point(target) {
    const mark = target?.closest?.("[data-tip]");
    this.tip.hidden = !mark;
    if (!mark) return;
    this.tip.textContent = mark.dataset.tip;
    const [box, around] = [mark.getBoundingClientRect(), this.place.getBoundingClientRect()];
    const middle = box.left + box.width / 2 - around.left;
    this.tip.style.left = `${Math.max(0, Math.min(middle - this.tip.offsetWidth / 2, around.width - this.tip.offsetWidth))}px`;
    const above = box.top - around.top - this.tip.offsetHeight - 6;
    this.tip.style.top = `${above >= 0 ? above : box.bottom - around.top + 6}px`;
  }
}

function centre(link) {
  const { left, top, width, height } = link.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
