/** `<reading-on data-source="…">` in a part of a page that the server has not finished: replaces the part by what has been read since. */

import { loadPage } from "../shared/requests.js";

const PAUSE_MS = 200;

class ReadingOn extends HTMLElement {
  connectedCallback() {
    this.later = setTimeout(() => this.read(), PAUSE_MS);
  }

  disconnectedCallback() {
    clearTimeout(this.later);
  }

  async read() {
    const part = this.closest("[id]");
    try {
      const answer = await loadPage(this.dataset.source ?? "");
      part?.replaceChildren(...answer.body.childNodes);
    } catch {
      this.textContent = "The server does not answer: load the page again.";
    }
  }
}

customElements.define("reading-on", ReadingOn);
