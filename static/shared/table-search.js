/**
 * `<table-search>` around a search field and a table, or choices of a form: hides the rows that lack a word of the search.
 * The search is in the address, so that its result can be sent to others.
 */

import { required } from "./required.js";

/** Whether a text holds every word of a search. @param {string} text @param {string} search */
function matches(text, search) {
  const searched = text.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => searched.includes(word));
}

class TableSearch extends HTMLElement {
  connectedCallback() {
    const field = required(this, "input[type=search]", HTMLInputElement);
    const rows = [...this.querySelectorAll("tbody > tr, .choices > div > div")].map((row) => (
      { row: /** @type {HTMLElement} */ (row), text: [...row.children].map((cell) => cell.textContent).join(" ") }));
    const status = required(this, "[role=status]", HTMLElement);
    const filter = () => {
      const search = field.value.trim();
      for (const { row, text } of rows) row.hidden = !matches(text, search);
      status.textContent = search ? `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length} found` : "";
    };
    field.value = new URLSearchParams(location.search).get("find") ?? "";
    field.addEventListener("input", () => { filter(); storeInAddress(field.value); });
    filter();
  }
}

function storeInAddress(/** @type {string} */ search) {
  const address = new URL(location.href);
  if (search) address.searchParams.set("find", search);
  else address.searchParams.delete("find");
  history.replaceState(null, "", address);
}

customElements.define("table-search", TableSearch);
