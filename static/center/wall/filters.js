/** Which tiles are shown: those of one room, of one study. The choice stays in the address. */

/** @import { Tile } from "./types" */

export class Filters {
  /** @type {[HTMLSelectElement, "room" | "study"][]} */
  #selects;

  /**
   * @param {HTMLSelectElement} room
   * @param {HTMLSelectElement} study
   * @param {() => void} changed
   */
  constructor(room, study, changed) {
    this.#selects = [[room, "room"], [study, "study"]];
    const asked = new URLSearchParams(location.search);
    for (const [select, name] of this.#selects) {
      select.dataset.chosen = asked.get(name) ?? "";
      select.addEventListener("change", () => {
        select.dataset.chosen = select.value;
        this.#remember();
        changed();
      });
    }
  }

  /** The chosen room; empty for all of them. */
  get room() {
    return this.#selects[0][0].dataset.chosen ?? "";
  }

  /** Whether a tile is to be shown. Stations without a session are of no study. */
  accepts(/** @type {Tile} */ tile) {
    return this.#selects.every(([select, name]) => {
      const chosen = select.dataset.chosen;
      return !chosen || (tile[name] ?? chosen) === chosen;
    });
  }

  /** Offers what the tiles have; a filter without a choice is hidden. */
  offer(/** @type {Tile[]} */ tiles) {
    for (const [select, name] of this.#selects) {
      const chosen = select.dataset.chosen ?? "";
      const names = new Set(tiles.flatMap((tile) => tile[name] || []));
      if (chosen) names.add(chosen);
      const values = ["", ...[...names].toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true }))];
      if (values.join("\n") === [...select.options].map((option) => option.value).join("\n")) continue;
      select.replaceChildren(...values.map((value) => new Option(value || "all", value, false, value === chosen)));
      if (select.parentElement) select.parentElement.hidden = values.length < 3 && !chosen;
    }
  }

  #remember() {
    const query = new URLSearchParams(this.#selects.flatMap(([select, name]) => (select.dataset.chosen ? [[name, select.dataset.chosen]] : [])));
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  }
}
