/** `<replay-find>`: finds lines of the log beside it; the return key goes to the next one. */

class ReplayFind extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<input type="search" name="find" placeholder="Find an action or event" aria-label="Find an action or event" title="Find (/), next (return)">
      <span role="status"></span>`;
    const field = /** @type {HTMLInputElement} */ (this.querySelector("input"));
    const log = /** @type {any} */ (this.parentElement?.querySelector("replay-log"));
    field.addEventListener("input", () => this.#tell(field.value, log.filter(field.value)));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") log.next();
      if (event.key === "Enter") event.preventDefault();
    });
  }

  focus() {
    this.querySelector("input")?.focus();
  }

  #tell(/** @type {string} */ text, /** @type {{shown: number, of: number}} */ { shown, of }) {
    const line = /** @type {HTMLElement} */ (this.querySelector("span"));
    line.textContent = text.trim() === "" ? "" : `${shown} of ${of}`;
  }
}

customElements.define("replay-find", ReplayFind);
