/** `<export-list>`: the table of exports; its rows are brought up to date while a file is being made. */

import { poll } from "../shared/polling.js";
import { required } from "../shared/required.js";

const EVERY_MS = 1500;
const UNFINISHED = "[data-state=waiting], [data-state=running]";

class ExportList extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(UNFINISHED)) this.stop = poll((signal) => this.update(signal), EVERY_MS);
  }

  disconnectedCallback() {
    this.stop?.();
  }

  async update(/** @type {AbortSignal} */ signal) {
    const answer = await fetch(location.href, { signal });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
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
    required(this, "[role=status]", HTMLElement).textContent = `${row.cells[0].textContent}: ${state}`;
  }
}

customElements.define("export-list", ExportList);
