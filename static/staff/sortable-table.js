// <sortable-table name="…"> around a table: its column headings become buttons that sort the rows.
// A cell sorts by its data-value, else by its text. The order is in the address, so that it can be sent to others.
// After "rows-replaced" it sorts again.

import { required } from "../shared/required.js";

/** What stands in a cell that has nothing (`people/templatetags/tables.py`). */
const NOTHING = /^–$/;

/**
 * Orders numbers by value, other texts by the alphabet; empty ones are last in either direction.
 * @param {string} left @param {string} right @param {number} direction  1 or -1
 */
function compareCells(left, right, direction) {
  const [leftNumber, rightNumber] = [Number(left), Number(right)];
  if (left === "" || right === "") return Number(left === "") - Number(right === "");
  if (!Number.isNaN(leftNumber) && !Number.isNaN(rightNumber)) return direction * (leftNumber - rightNumber);
  return direction * left.localeCompare(right, undefined, { numeric: true });
}

class SortableTable extends HTMLElement {
  connectedCallback() {
    /** @type {HTMLTableCellElement[]} */
    this.headings = [...this.querySelectorAll("thead th:not([data-unsortable])")].filter((cell) => cell instanceof HTMLTableCellElement);
    for (const heading of this.headings) this.makeButton(heading);
    const [column, order] = (new URLSearchParams(location.search).get(this.parameter) ?? "").split(".");
    const wanted = this.headings[Number(column)];
    if (column && wanted) this.sort(wanted, order === "descending");
    this.addEventListener("rows-replaced", () => {
      const sorted = this.headings?.find((heading) => heading.ariaSort);
      if (sorted) this.sort(sorted, sorted.ariaSort === "descending");
    });
  }

  get parameter() {
    return this.getAttribute("name") ?? "order";
  }

  makeButton(/** @type {HTMLTableCellElement} */ heading) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const descending = heading.ariaSort === "ascending";
      this.sort(heading, descending);
      this.storeInAddress(heading, descending);
    });
  }

  /** @param {HTMLTableCellElement} heading @param {boolean} descending */
  sort(heading, descending) {
    for (const other of this.headings ?? []) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = required(this, "tbody", HTMLTableSectionElement);
    const value = (/** @type {HTMLTableRowElement} */ row) => {
      const cell = row.cells[heading.cellIndex];
      return cell.dataset.value ?? cell.textContent.trim().replace(NOTHING, "");
    };
    const direction = descending ? -1 : 1;
    body.append(...[...body.rows].toSorted((one, other) => compareCells(value(one), value(other), direction)));
  }

  /** @param {HTMLTableCellElement} heading @param {boolean} descending */
  storeInAddress(heading, descending) {
    const address = new URL(location.href);
    const order = descending ? "descending" : "ascending";
    address.searchParams.set(this.parameter, `${this.headings?.indexOf(heading)}.${order}`);
    history.replaceState(null, "", address);
  }
}

customElements.define("sortable-table", SortableTable);
