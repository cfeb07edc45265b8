/** Which tiles are shown: those of one room, of one study, and of rehearsals if they are asked for. The choice stays in the address. */

/** @import { Tile } from "./types" */

export class Filters {
  /** @type {[HTMLSelectElement, "room" | "study"][]} */
  #selects;
  #rehearsals;

  /**
   * @param {HTMLSelectElement} room
   * @param {HTMLSelectElement} study
   * @param {HTMLInputElement} rehearsals  the switch, in its label
   * @param {() => void} changed
   */
  constructor(room, study, rehearsals, changed) {
    this.#selects = [[room, "room"], [study, "study"]];
    this.#rehearsals = rehearsals;
    const asked = new URLSearchParams(location.search);
    rehearsals.checked = asked.has("rehearsals");
    for (const [select, name] of this.#selects) select.dataset.chosen = asked.get(name) ?? "";
    for (const field of [room, study, rehearsals]) {
      field.addEventListener("change", () => {
        if (field instanceof HTMLSelectElement) field.dataset.chosen = field.value;
        this.#remember();
        changed();
      });
    }
  }

  /** The chosen room; empty for all of them. */
  get room() {
    return this.#selects[0][0].dataset.chosen ?? "";
  }

  /** Whom the controls for everybody are for: they follow the room and rehearsals, and no study. */
  get group() {
    return new URLSearchParams({ ...(this.room && { room: this.room }), ...(this.#rehearsals.checked && { rehearsals: "1" }) });
  }

  /** Whether a tile is to be shown. Stations without a session are of no study. */
  accepts(/** @type {Tile} */ tile) {
    return this.#isOpen(tile) && this.#selects.every(([select, name]) => {
      const chosen = select.dataset.chosen;
      return !chosen || (tile[name] ?? chosen) === chosen;
    });
  }

  /** Offers what the tiles have; a filter without a choice is hidden. */
  offer(/** @type {Tile[]} */ tiles) {
    this.#show(this.#rehearsals, this.#rehearsals.checked || tiles.some((tile) => tile.rehearsal));
    const open = tiles.filter((tile) => this.#isOpen(tile));
    for (const [select, name] of this.#selects) {
      const chosen = select.dataset.chosen ?? "";
      const names = new Set(open.flatMap((tile) => tile[name] || []));
      if (chosen) names.add(chosen);
      const values = ["", ...[...names].toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true }))];
      if (values.join("\n") === [...select.options].map((option) => option.value).join("\n")) continue;
      select.replaceChildren(...values.map((value) => new Option(value || "all", value, false, value === chosen)));
      this.#show(select, values.length > 2 || Boolean(chosen));
    }
  }

  #isOpen(/** @type {Tile} */ tile) {
    return !tile.rehearsal || this.#rehearsals.checked;
  }

  /** @param {HTMLElement} field @param {boolean} shown */
  #show(field, shown) {
    if (field.parentElement) field.parentElement.hidden = !shown;
  }

  #remember() {
    const query = new URLSearchParams(this.#selects.flatMap(([select, name]) => (select.dataset.chosen ? [[name, select.dataset.chosen]] : [])));
    if (this.#rehearsals.checked) query.set("rehearsals", "1");
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  }
}
