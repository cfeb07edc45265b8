/** One station, large: its board, its facts, its controls and its newest events. Its address is `#` and the session's number. */

import "../../shared/live-parts.js";
import "../controls.js";
import { PlayBoard } from "../../shared/board.js";
import { loadPage } from "../../shared/requests.js";
import { write } from "./wall-tile.js";
import { age, clock, elapsed, linkWords, stageWords } from "./labels.js";

/** @import { Tile } from "./types" */

const FRAMES_PER_SECOND = 15;

export class LargeStation {
  /** The session that is open; null if none is. @type {number | null} */
  session = null;
  #board = new PlayBoard();
  #heading = document.createElement("h2");
  #needs = Object.assign(document.createElement("p"), { className: "needs" });
  #age = Object.assign(document.createElement("p"), { className: "wall-live" });
  #elsewhere = Object.assign(document.createElement("p"), { className: "muted" });
  #facts = Object.assign(document.createElement("dl"), { className: "facts" });
  #beside = document.createElement("div");
  /** @type {Uint8Array | null} */
  #frame = null;

  constructor(/** @type {HTMLDialogElement} */ dialog) {
    this.dialog = dialog;
    this.#heading.id = "wall-large-heading";
    const close = Object.assign(document.createElement("button"), { className: "small-button secondary", textContent: "Close", type: "button" });
    close.addEventListener("click", () => dialog.close());
    const head = document.createElement("header");
    head.append(this.#heading, close);
    const right = Object.assign(document.createElement("div"), { className: "large-facts" });
    right.append(head, this.#age, this.#needs, this.#facts, this.#beside, this.#elsewhere);
    dialog.append(this.#board, right);
    dialog.addEventListener("close", () => this.#closed());
    window.addEventListener("hashchange", () => this.followAddress());
  }

  /** Opens the session that the address names, or closes. */
  followAddress() {
    const session = Number(location.hash.slice(1));
    if (Number.isInteger(session) && session > 0) this.#open(session);
    else if (this.dialog.open) this.dialog.close();
  }

  #open(/** @type {number} */ session) {
    if (this.session === session) return;
    this.session = session;
    this.#frame = null;
    this.#board.classList.add("blank");
    const controls = document.createElement("staff-controls");
    const events = document.createElement("live-parts");
    controls.dataset.source = `/staff/sessions/${session}/controls/`;
    events.dataset.source = `/staff/wall/${session}/events/`;
    events.className = "large-events";
    events.innerHTML = `<h3>Newest events</h3><div id="wall-events"></div>`;
    controls.addEventListener("controls-used", () => showEvents(events));
    this.#beside.replaceChildren(controls, events);
    void showEvents(events);
    if (!this.dialog.open) this.dialog.showModal();
  }

  #closed() {
    this.session = null;
    this.#beside.replaceChildren();
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  /**
   * Shows the open session at a moment by the server's clock.
   * @param {Tile | undefined} tile  undefined: it is not on the wall
   * @param {number} now
   * @param {number} others  other stations that need help
   */
  show(tile, now, others) {
    if (this.session === null) return;
    write(this.#elsewhere, others ? `${others} other ${others === 1 ? "station needs" : "stations need"} help.` : "");
    if (!tile) {
      write(this.#heading, "This session is not in progress");
      return;
    }
    write(this.#heading, tile.station == null ? `${tile.participant}` : `Station ${tile.station}`);
    write(this.#needs, (tile.needs ?? []).map((need) => (need.since === null ? need.label : `${need.label} ${clock(now - need.since)}`)).join(", "));
    this.#needs.dataset.urgency = tile.urgent ? "now" : "look";
    this.#writeFacts(facts(tile, now));
    if (tile.frame === this.#frame) return;
    this.#frame = tile.frame;
    this.#board.classList.toggle("blank", tile.frame === null);
    if (tile.frame) this.#board.show([tile.frame], FRAMES_PER_SECOND);
  }

  /** Says how old the picture is: the dialog lies over what the wall says of it. @param {string} text */
  tellAge(text) {
    write(this.#age, text);
  }

  #writeFacts(/** @type {[string, string][]} */ rows) {
    const shown = rows.filter(([, text]) => text);
    while (this.#facts.children.length > 2 * shown.length) this.#facts.lastElementChild?.remove();
    while (this.#facts.children.length < 2 * shown.length) this.#facts.append(document.createElement(this.#facts.children.length % 2 ? "dd" : "dt"));
    const cells = /** @type {HTMLElement[]} */ ([...this.#facts.children]);
    shown.flat().forEach((text, index) => write(cells[index], text));
  }
}

/** @param {string} word */
function capitalised(word) {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** @returns {[string, string][]} */
function facts(/** @type {Tile} */ tile, /** @type {number} */ now) {
  const playing = tile.stage === "playing";
  const part = tile.part ?? "", act = tile.act ?? "";
  return [
    ["Participant", tile.participant ?? ""],
    ["Study", tile.study ?? ""],
    ["Room", tile.room],
    ["Now", stageWords(tile)],
    ["Environment", playing ? `${tile.environment}, number ${tile.number} of this session` : ""],
    [capitalised(part), playing && tile.level ? `${tile.level} of ${tile.levels}` : ""],
    [`${capitalised(act)}s`, playing && tile.actions != null ? String(tile.actions) : ""],
    [`Last ${act}`, playing && tile.acted_at ? age((tile.paused_at ?? now) - tile.acted_at) : ""],
    ["Time here", playing && tile.environment_zero ? clock(elapsed(tile.environment_zero, tile, now)) : ""],
    ["In session", tile.session_zero && tile.stage !== "over" ? clock(elapsed(tile.session_zero, tile, now)) : ""],
    ["Connection", linkWords(tile) && (tile.link === "connected" ? linkWords(tile) : `${linkWords(tile)} since ${clock(now - (tile.link_since ?? now))}`)],
  ];
}

/** Asks for the events now: `live-parts` asks only every few seconds. */
async function showEvents(/** @type {HTMLElement} */ events) {
  const drawn = (await loadPage(events.dataset.source ?? "").catch(() => null))?.querySelector("#wall-events");
  if (drawn) events.querySelector("#wall-events")?.replaceChildren(...drawn.childNodes);
}
