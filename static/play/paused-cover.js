/** `<paused-cover>`: covers the page while staff have paused the session. What is under it keeps its place, its text and its focus. */

export class PausedCover extends HTMLElement {
  /** What had the focus when the page was covered. @type {Element | null} */
  #focused = null;

  connectedCallback() {
    if (!this.hidden) this.#cover();
  }

  /** Whether the page is covered, so that no press is meant for what is under it. */
  get shown() {
    return !this.hidden;
  }

  set shown(/** @type {boolean} */ shown) {
    if (shown === this.shown) return;
    this.hidden = !shown;
    if (shown) this.#cover();
    else this.#uncover();
  }

  #cover() {
    this.#focused = document.activeElement;
    this.#setInert(true);
    this.focus();
  }

  #uncover() {
    this.#setInert(false);
    if (this.#focused instanceof HTMLElement && this.#focused !== document.body) this.#focused.focus();
    this.#focused = null;
  }

  #setInert(/** @type {boolean} */ inert) {
    for (const part of document.body.children) {
      if (part instanceof HTMLElement && part !== this) part.inert = inert;
    }
  }
}

customElements.define("paused-cover", PausedCover);
