/** `<export-list>`: the table of exports; its rows are brought up to date while a file is being made. */

import { poll } from "../shared/polling.js";
import { loadPage } from "../shared/requests.js";
import { required } from "../shared/required.js";

const EVERY_MS = 1500;
const SILENT = "The server does not answer. Trying again.";
const UNFINISHED = "[data-state=waiting], [data-state=running]";

class ExportList extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(UNFINISHED)) this.stop = poll((signal) => this.update(signal), EVERY_MS, () => this.say(SILENT));
  }

  disconnectedCallback() {
    this.stop?.();
  }

  async update(/** @type {AbortSignal} */ signal) {
    const page = await loadPage(location.href, { signal });
    if (required(this, "[role=status]", HTMLElement).textContent === SILENT) this.say("");
    for (const fresh of page.querySelectorAll("export-list tr[data-state]")) {
      const row = document.getElementById(fresh.id);
      if (row instanceof HTMLTableRowElement && fresh instanceof HTMLTableRowElement) this.updateRow(row, fresh);
    }
    if (!this.querySelector(UNFINISHED)) this.stop?.();
  }

  /** Replaces only what has changed, so that a focused element keeps the focus. */
  updateRow(/** @type {HTMLTableRowElement} */ row, /** @type {HTMLTableRowElement} */ fresh) {
    const [progress, newProgress] = [row, fresh].map((each) => each.querySelector("progress"));
    if (progress && newProgress) progress.replaceWith(newProgress);
    if (row.dataset.state === fresh.dataset.state) return;
    row.dataset.state = fresh.dataset.state;
    for (const cell of [".state", ".row-action"]) {
      required(row, cell, HTMLElement).replaceChildren(...required(fresh, cell, HTMLElement).childNodes);
    }
    const state = required(row, ".state", HTMLElement).textContent.trim();
    this.say(`${row.cells[0].textContent}: ${state}`);
  }

  say(/** @type {string} */ text) {
    const status = required(this, "[role=status]", HTMLElement);
    status.textContent = text;
    status.classList.toggle("visually-hidden", text !== SILENT);
  }
}

customElements.define("export-list", ExportList);
