/** `<export-list>`: the table of exports, kept up to date as long as one of them is being made. */

const EVERY_MS = 1500;

class ExportList extends HTMLElement {
  #timer = 0;

  connectedCallback() {
    this.#wait();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  #wait() {
    if (this.querySelector("[data-state=waiting], [data-state=running]")) this.#timer = setTimeout(() => this.#look(), EVERY_MS);
  }

  async #look() {
    // Where the server cannot be reached, the next look may find it.
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.ok) this.#take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    this.#wait();
  }

  /** Take over what has changed, and nothing else: what is focused stays so. */
  #take(/** @type {Document} */ page) {
    for (const fresh of /** @type {NodeListOf<HTMLTableRowElement>} */ (page.querySelectorAll("export-list tr[data-state]"))) {
      const row = /** @type {HTMLTableRowElement | null} */ (document.getElementById(fresh.id));
      if (!row) continue;
      const [progress, further] = [row, fresh].map((each) => each.querySelector("progress"));
      if (progress && further) progress.replaceWith(further);
      if (row.dataset.state === fresh.dataset.state) continue;
      row.dataset.state = fresh.dataset.state;
      for (const name of ["state", "deed"]) row.querySelector(`.${name}`).replaceChildren(...fresh.querySelector(`.${name}`).childNodes);
      this.querySelector("[role=status]").textContent = `${row.cells[0].textContent}: ${row.querySelector(".state").textContent.trim()}`;
    }
  }
}

customElements.define("export-list", ExportList);
