/** `<replay-help>`: a dialog that lists the keys and the marks on the seek bar. */

import { KINDS } from "./marks.js";
import { SHORTCUTS } from "./shortcuts.js";

export class ReplayHelp extends HTMLElement {
  #dialog = document.createElement("dialog");

  connectedCallback() {
    const keys = SHORTCUTS.map(([caps, use]) => `<dt>${caps.split(" ").map((cap) => `<kbd>${cap}</kbd>`).join(" ")}</dt><dd>${use}</dd>`);
    const marks = Object.entries({ ...KINDS, idle: "nothing was done for longer than the idle time" })
      .map(([kind, meaning]) => `<dt><span class="marks"><i class="${kind}"></i></span></dt><dd>${meaning}</dd>`);
    this.#dialog.setAttribute("aria-label", "Keys and marks");
    this.#dialog.innerHTML = `<div class="columns">
      <section><h2>Keys</h2><dl class="facts">${keys.join("")}</dl></section>
      <section><h2>Marks on the bar</h2><dl class="facts">${marks.join("")}</dl></section></div>
      <form method="dialog"><button>Close</button> <a href="/staff/help/">All terms</a></form>`;
    this.replaceChildren(this.#dialog);
  }

  toggle() {
    if (this.#dialog.open) this.#dialog.close();
    else this.#dialog.showModal();
  }
}

customElements.define("replay-help", ReplayHelp);
