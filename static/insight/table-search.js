/**
 * `<table-search>` around a search field and a table: rows that hold every word typed stay, the others hide. The words are
 * kept in the address, so that what was found can be sent to others.
 */

export function matches(text, words) {
  const held = text.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => held.includes(word));
}

class TableSearch extends HTMLElement {
  connectedCallback() {
    this.field = this.querySelector("input[type=search]");
    this.rows = [...this.querySelectorAll("tbody tr")].map((row) => [row, [...row.cells].map((cell) => cell.textContent).join(" ")]);
    this.field.value = new URLSearchParams(location.search).get("find") ?? "";
    this.field.addEventListener("input", () => { this.show(); this.remember(); });
    this.show();
  }

  show() {
    const words = this.field.value.trim();
    let found = 0;
    for (const [row, text] of this.rows) {
      row.hidden = !matches(text, words);
      found += row.hidden ? 0 : 1;
    }
    this.querySelector("[role=status]").textContent = words ? `${found} of ${this.rows.length} found` : "";
  }

  remember() {
    const address = new URL(location.href);
    if (this.field.value) address.searchParams.set("find", this.field.value);
    else address.searchParams.delete("find");
    history.replaceState(null, "", address);
  }
}

customElements.define("table-search", TableSearch);
