/**
 * `<replay-compare>`: shows the moment of another attempt that belongs to the moment shown, on a second board or as a ghost over the
 * first. The address of the page holds the other attempt and how it is compared. Event: `change` if one of them has changed.
 */

import { Refused, ask } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { ALIGNMENTS, aligned } from "./alignment.js";
import { journalNotice, loadJournal } from "./journal.js";
import { ReplayScreen } from "./replay-screen.js";

/** @import { Alignment } from "./alignment.js" */
/** @import { HeatKind } from "./heat.js" */
/** @import { BestRun, Moment, OtherReplay } from "./types" */
/** @typedef {{others: OtherReplay[], best: BestRun[]}} Choices */

const EMPTY = new Refused("nothing_to_compare", "That attempt showed no frame: choose another.");
const UNKNOWN = new Refused("other_unknown", "There is no such attempt at this environment: choose another.");
const NOBODY = new Refused("nobody_else", "Nobody else has played this environment yet.");

export class ReplayCompare extends HTMLElement {
  /** The address of what this attempt can be compared with; empty if nothing. */
  #address = "";
  /** The first attempt, which leads. @type {ReplayScreen | null} */
  #screen = null;
  /** The other attempt. @type {{screen: ReplayScreen, replay: OtherReplay} | null} */
  #other = null;
  /** @type {HeatKind | ""} */
  #heat = "";
  /** The replay that was asked for last. */
  #asked = "";

  connectedCallback() {
    const alignments = Object.entries(ALIGNMENTS).map(([name, label]) => `<option value="${name}">${label}</option>`);
    this.innerHTML = `<div class="buttons" hidden>
        <label>The other <select name="as"><option value="beside">beside</option><option value="ghost">as a ghost</option></select></label>
        <label>aligned <select name="align">${alignments.join("")}</select></label>
        <button type="button" class="alone">Close the other</button>
      </div>
      <dialog aria-label="View side by side"><form method="dialog">
        <h2>View side by side</h2>
        <label>With <select name="with"></select></label>
        <button type="button" class="show">Show</button> <button class="secondary">Cancel</button>
      </form></dialog>`;
    for (const list of [this.#alignment, this.#display]) {
      list.addEventListener("change", () => {
        setParameter(list.name, list.value);
        this.#arrange();
      });
    }
    required(this, ".alone", HTMLButtonElement).addEventListener("click", () => this.#close());
    required(this, ".show", HTMLButtonElement).addEventListener("click", () => this.#choose());
  }

  /** @param {string} address  of what this attempt can be compared with @param {ReplayScreen} screen  the first attempt */
  connect(address, screen) {
    this.#address = address;
    this.#screen = screen;
    if (screen.journal.task) for (const choice of this.#alignment.options) choice.text = choice.text.replace("level start", "test input");
    const { searchParams } = new URL(location.href);
    const align = searchParams.get("align") ?? "";
    this.#alignment.value = align in ALIGNMENTS ? align : "time";
    this.#display.value = searchParams.get("as") === "ghost" ? "ghost" : "beside";
    const other = searchParams.get("with");
    if (other !== null) this.#load(other);
  }

  /** Opens the dialog with what this attempt can be compared with. */
  open() {
    if (this.#address === "") return;
    this.#dialog.showModal();
    this.#attempt(async () => {
      const { others, best } = await this.#choices();
      this.#list.replaceChildren(
        ...group("Best first run of a level", best.map((run) => option(run.with, `level ${run.level}: ${run.label}`, "level"))),
        ...group("The winning recording, and attempts", others.filter((other) => !other.agent).map((other) => option(other.with, other.label))),
        ...group("Runs of agents", others.filter((other) => other.agent).map((other) => option(other.with, other.label))),
      );
      if (this.#list.length === 0) throw NOBODY;
    });
  }

  show(/** @type {Moment} */ moment) {
    if (!this.#other || !this.#screen) return;
    const { screen } = this.#other;
    const alignment = /** @type {Alignment} */ (this.#alignment.value);
    const position = aligned(alignment, this.#screen.timeline, moment, screen.timeline);
    screen.show(position);
    if (this.#isGhost) this.#screen.ghost = screen.frames.at(screen.timeline.positions[position]);
  }

  set heat(/** @type {HeatKind | ""} */ kind) {
    this.#heat = kind;
    if (this.#other) this.#other.screen.heat = kind;
  }

  /** Shows the other attempt on its own board or as a ghost, as chosen. */
  #arrange() {
    if (!this.#other || !this.#screen) return;
    const { screen, replay } = this.#other;
    screen.hidden = this.#isGhost;
    this.#screen.ghost = null;
    this.#screen.name = this.#isGhost ? `this attempt; its ghost: ${replay.label}` : "this attempt";
    this.dispatchEvent(new Event("change"));
  }

  #choose() {
    const chosen = this.#list.selectedOptions[0];
    if (!chosen) return;
    const { align } = chosen.dataset;
    if (align) {
      this.#alignment.value = align;
      setParameter("align", align);
    }
    this.#dialog.close();
    this.#load(chosen.value);
  }

  #load(/** @type {string} */ name) {
    this.#asked = name;
    return this.#attempt(async () => {
      const replay = (await this.#choices()).others.find((other) => other.with === name);
      if (!replay) throw UNKNOWN;
      const journal = await loadJournal(replay.journal);
      if (this.#asked !== name) return;
      if (journal.entries.length === 0) throw EMPTY;
      const screen = new ReplayScreen(journal);
      this.#close();
      this.#screen?.after(screen);
      this.#other = { screen, replay };
      screen.name = replay.label;
      screen.heat = this.#heat;
      this.#controls.hidden = false;
      setParameter("with", name);
      this.#arrange();
    });
  }

  /** @returns {Promise<Choices>} */
  #choices() {
    const chosen = new URL(location.href).searchParams.get("with");
    return ask("GET", chosen ? `${this.#address}?with=${encodeURIComponent(chosen)}` : this.#address);
  }

  #close() {
    this.#asked = "";
    this.#other?.screen.remove();
    this.#other = null;
    if (this.#screen) {
      this.#screen.ghost = null;
      this.#screen.name = "";
    }
    this.#controls.hidden = true;
    setParameter("with", "");
  }

  /** Shows an error of the request in the dialog if it is open. */
  async #attempt(/** @type {() => Promise<void>} */ request) {
    this.querySelector("[role=alert]")?.remove();
    try {
      await request();
    } catch (error) {
      const notice = journalNotice(error);
      if (this.#dialog.open) required(this.#dialog, "form", HTMLFormElement).append(notice);
      else this.append(notice);
    }
  }

  get #isGhost() {
    return this.#display.value === "ghost";
  }

  get #controls() {
    return required(this, ".buttons", HTMLElement);
  }

  get #alignment() {
    return required(this, "[name=align]", HTMLSelectElement);
  }

  get #display() {
    return required(this, "[name=as]", HTMLSelectElement);
  }

  get #list() {
    return required(this, "[name=with]", HTMLSelectElement);
  }

  get #dialog() {
    return required(this, "dialog", HTMLDialogElement);
  }
}

/** Sets a parameter in the address of the page; an empty one is removed. */
function setParameter(/** @type {string} */ name, /** @type {string} */ value) {
  const address = new URL(location.href);
  if (value) address.searchParams.set(name, value);
  else address.searchParams.delete(name);
  history.replaceState(null, "", address);
}

/** @param {string} value @param {string} label @param {Alignment | ""} [align]  that it is best seen with */
function option(value, label, align = "") {
  const made = new Option(label, value);
  if (align) made.dataset.align = align;
  return made;
}

function group(/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ options) {
  if (options.length === 0) return [];
  const made = Object.assign(document.createElement("optgroup"), { label });
  made.append(...options);
  return [made];
}

customElements.define("replay-compare", ReplayCompare);
