/** `<replay-help>`: the panel that lists the shortcuts and what the marks on the bar mean. */

import { SHORTCUTS } from "./shortcuts.js";
import { KINDS } from "./marks.js";

class ReplayHelp extends HTMLElement {
  connectedCallback() {
    const keys = SHORTCUTS.map(([caps, words]) => `<dt>${caps.split(" ").map((cap) => `<kbd>${cap}</kbd>`).join(" ")}</dt><dd>${words}</dd>`);
    const marks = Object.entries({ ...KINDS, idle: "nothing was done for longer than the idle time" })
      .map(([kind, words]) => `<dt><span class="marks"><i class="${kind}"></i></span></dt><dd>${words}</dd>`);
    this.innerHTML = `<dialog aria-label="Keys and marks"><div class="columns">
      <section><h2>Keys</h2><dl class="facts">${keys.join("")}</dl></section>
      <section><h2>Marks on the bar</h2><dl class="facts">${marks.join("")}</dl></section></div>
      <form method="dialog"><button>Close</button></form></dialog>`;
  }

  toggle() {
    const dialog = this.querySelector("dialog");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }
}

customElements.define("replay-help", ReplayHelp);
