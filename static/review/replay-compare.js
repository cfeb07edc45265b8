/**
 * `<replay-compare>`: another attempt's moment that belongs to the one shown, on a second board or as a ghost over the first.
 * Event: `change` when the other side or the alignment has changed. What is compared, and how, stands in the address.
 */

import { ALIGNMENTS, aligned } from "./alignment.js";
import { journalNotice, loadJournal } from "./journal.js";
import { Refused, ask, refusalNotice } from "../shared/requests.js";

const EMPTY = new Refused("nothing_to_compare", "That attempt showed no frame: choose another.");
const UNKNOWN = new Refused("other_unknown", "There is no such attempt at this environment: choose another.");

export class ReplayCompare extends HTMLElement {
  /** @type {import("./replay-screen.js").ReplayScreen | null} the other side */
  #other = null;
  /** How the address calls it. */
  #name = "";
  #heat = "";

  connectedCallback() {
    const alignments = Object.entries(ALIGNMENTS).map(([name, words]) => `<option value="${name}">${words}</option>`);
    this.innerHTML = `<div class="buttons" hidden>
        <label>The other <select name="as"><option value="beside">beside</option><option value="ghost">as a ghost</option></select></label>
        <label>aligned <select name="align">${alignments.join("")}</select></label>
        <a class="swap">Swap sides</a><button type="button" class="alone">Close the other</button>
      </div>
      <dialog aria-label="View side by side"><form method="dialog">
        <h2>View side by side</h2>
        <label>With <select name="with"></select></label>
        <button type="button" class="show">Show</button> <button class="secondary">Cancel</button>
      </form></dialog>`;
    this.controls = this.querySelector(".buttons");
    this.align = this.querySelector("[name=align]");
    this.as = this.querySelector("[name=as]");
    this.with = this.querySelector("[name=with]");
    this.dialog = this.querySelector("dialog");
    this.align.addEventListener("change", () => {
      this.#remember("align", this.align.value);
      this.#place();
    });
    this.as.addEventListener("change", () => {
      this.#remember("as", this.as.value);
      this.#place();
    });
    this.querySelector(".alone").addEventListener("click", () => this.#close());
    this.querySelector(".show").addEventListener("click", () => this.#choose());
  }

  /**
   * @param {string | null} address  what there is to compare with; null where nothing is compared
   * @param {import("./replay-screen.js").ReplayScreen} screen  the side that leads
   */
  begin(address, screen) {
    this.address = address;
    this.screen = screen;
    if (address === null) return;
    const { searchParams } = new URL(location.href);
    this.align.value = searchParams.get("align") in ALIGNMENTS ? searchParams.get("align") : "time";
    this.as.value = searchParams.get("as") === "ghost" ? "ghost" : "beside";
    if (searchParams.has("with")) this.#beside(searchParams.get("with"));
  }

  /** Offer what this attempt can be compared with. */
  async open() {
    if (this.address === null) return;
    this.dialog.showModal();
    await this.#tryTo(async () => {
      const { others, best } = await ask("GET", this.address);
      this.with.replaceChildren(
        ...group("Best first run of a level", best.map((run) => option(run.with, `level ${run.level}: ${run.words}`, "level"))),
        ...group("The winning recording, and attempts", others.map((other) => option(other.with, other.words))),
      );
      if (this.with.length === 0) throw new Refused("nobody_else", "Nobody else has played this environment yet.");
    });
  }

  show(/** @type {{position: number, time: number}} */ moment) {
    if (!this.#other) return;
    const position = aligned(this.align.value, this.screen.timeline, moment, this.#other.timeline);
    this.#other.show(position);
    if (this.as.value === "ghost") this.screen.ghost = this.#other.frames.at(this.#other.timeline.positions[position]);
  }

  /** The other as it is wanted: on a board of its own, or over this one. */
  #place() {
    this.#offerSwap();
    const ghost = this.as.value === "ghost";
    this.#other.hidden = ghost;
    this.screen.ghost = null;
    this.screen.whose = ghost ? `this attempt; its ghost: ${this.#other.words}` : "this attempt";
    this.dispatchEvent(new Event("change"));
  }

  set heat(/** @type {import("./heat.js").HEATS | ""} */ heat) {
    this.#heat = heat;
    if (this.#other) this.#other.heat = heat;
  }

  #choose() {
    const chosen = this.with.selectedOptions[0];
    if (!chosen) return;
    if (chosen.dataset.align) {
      this.align.value = chosen.dataset.align;
      this.#remember("align", chosen.dataset.align);
    }
    this.dialog.close();
    this.#beside(chosen.value);
  }

  #beside(/** @type {string} */ name) {
    return this.#tryTo(async () => {
      const other = (await ask("GET", this.address)).others.find((found) => found.with === name);
      if (!other) throw UNKNOWN;
      const journal = await loadJournal(other.journal);
      if (journal.entries.length === 0) throw EMPTY;
      this.#close();
      const beside = /** @type {any} */ (document.createElement("replay-screen"));
      this.screen.after(beside);
      beside.open(journal);
      this.#other = beside;
      this.#other.words = this.#other.whose = other.words;
      this.#other.heat = this.#heat;
      this.controls.hidden = false;
      this.#name = name;
      this.#remember("with", name);
      this.#place();
    });
  }

  /** The other attempt's own page, with this one beside it; a recording has none. */
  #offerSwap() {
    const swap = this.querySelector(".swap");
    const own = location.pathname.match(/(\d+)\/$/)?.[1];
    const how = `align=${this.align.value}&as=${this.as.value}`;
    swap.hidden = !/^\d+$/.test(this.#name);
    swap.href = `${location.pathname.replace(/\d+\/$/, `${this.#name}/`)}?with=${own}&${how}`;
  }

  #close() {
    this.#other?.remove();
    this.#other = null;
    this.screen.ghost = null;
    this.screen.whose = "";
    this.controls.hidden = true;
    this.#remember("with", "");
  }

  #remember(/** @type {string} */ name, /** @type {string} */ value) {
    const address = new URL(location.href);
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
    history.replaceState(null, "", address);
  }

  async #tryTo(/** @type {() => Promise<void>} */ deed) {
    this.querySelector("[role=alert]")?.remove();
    try {
      await deed();
    } catch (error) {
      const said = error instanceof Refused ? refusalNotice(error) : journalNotice(error);
      if (this.dialog.open) this.dialog.querySelector("form").append(said);
      else this.append(said);
    }
  }
}

function option(value, words, align = "") {
  const made = new Option(words, value);
  if (align) made.dataset.align = align;
  return made;
}

function group(label, options) {
  if (options.length === 0) return [];
  const made = Object.assign(document.createElement("optgroup"), { label });
  made.append(...options);
  return [made];
}

customElements.define("replay-compare", ReplayCompare);
