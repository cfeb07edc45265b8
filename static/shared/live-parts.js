/**
 * `<live-parts data-source="…">`: while sessions run, asks for parts of the page again and replaces each part by id. Unchanged
 * parts stay; the focus stays on the same link, and what is unfolded stays so. When the server does not answer, it says since when the parts are out of date.
 */

import { poll } from "./polling.js";
import { loadPage } from "./requests.js";

const EVERY_MS = 5000;

class LiveParts extends HTMLElement {
  connectedCallback() {
    /** @type {Map<string, string>} */
    this.last = new Map();
    this.asked = new Date();
    this.stale = Object.assign(document.createElement("p"), { className: "stale", role: "status" });
    this.stop = poll((signal) => this.ask(signal), Number(this.dataset.every ?? EVERY_MS), () => this.warn());
  }

  /** Asks now. Rejects when there is no answer. @param {AbortSignal} [signal] */
  async ask(signal) {
    this.show(await loadPage(this.dataset.source ?? "", { signal }));
    this.asked = new Date();
    this.stale?.remove();
  }

  /** Says at the top of the parts that they are out of date, unless figures beside them say it. */
  warn() {
    if (!this.stale || document.querySelector("insight-figure[live]")) return;
    this.stale.textContent = `Not updated since ${this.asked?.toLocaleTimeString()}: the server did not answer. Trying again.`;
    if (!this.stale.isConnected) this.prepend(this.stale);
  }

  disconnectedCallback() {
    this.stop?.();
  }

  show(/** @type {Document} */ answer) {
    for (const part of answer.body.children) {
      const before = this.last?.get(part.id);
      this.last?.set(part.id, part.innerHTML);
      const shown = document.getElementById(part.id);
      if (shown && part.innerHTML !== before) replace(shown, part);
    }
  }
}

/** @param {HTMLElement} shown @param {Element} part */
function replace(shown, part) {
  const focused = shown.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  for (const fold of shown.querySelectorAll("details[id][open]")) part.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
  shown.replaceChildren(...part.childNodes);
  const link = focused ? shown.querySelector(`a[href="${CSS.escape(focused)}"]`) : null;
  if (link instanceof HTMLAnchorElement) link.focus({ preventScroll: true });
}

customElements.define("live-parts", LiveParts);
