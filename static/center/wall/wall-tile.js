/** `<wall-tile>`: one station, small. Only what has changed is written. */

import { PlayBoard } from "../../shared/board.js";
import { age, clock, elapsed, linkWords, needWords, stageWords } from "./labels.js";

/** @import { Tile } from "./types" */

const FRAMES_PER_SECOND = 15;
const LINES = ["environment", "level", "actions", "here", "session", "last", "link", "notes"];

export class WallTile extends HTMLElement {
  #button = document.createElement("button");
  #number = part("strong", "number");
  #need = part("span", "need");
  #stage = part("span", "stage");
  #board = new PlayBoard();
  /** @type {Map<string, HTMLElement>} */
  #lines = new Map(LINES.map((name) => [name, part("span", name)]));
  /** What is drawn; undefined before anything was. @type {Uint8Array | null | undefined} */
  #frame;
  /** @type {Tile | null} */
  #tile = null;

  connectedCallback() {
    if (this.#button.isConnected) return;
    const head = part("span", "tile-head");
    head.append(this.#number, this.#need);
    const screen = part("span", "screen");
    screen.append(this.#board, this.#stage);
    const facts = part("span", "facts-of-tile");
    facts.append(...this.#lines.values());
    this.#button.type = "button";
    this.#button.append(head, screen, facts);
    this.replaceChildren(this.#button);
  }

  focus(/** @type {FocusOptions} */ options = {}) {
    this.#button.focus(options);
  }

  /** Shows a tile at a moment by the server's clock. */
  show(/** @type {Tile} */ tile, /** @type {number} */ now) {
    this.#tile = tile;
    write(this.#number, String(tile.station ?? tile.participant));
    write(this.#stage, tile.stage === "playing" && !tile.paused_at ? "" : stageWords(tile));
    this.#draw(tile.frame);
    this.tick(now);
    setData(this, "urgency", tile.urgent ? "now" : tile.needs?.length ? "look" : "");
    setData(this, "stage", tile.paused_at ? "paused" : tile.stage);
    setData(this, "link", tile.link ?? "");
  }

  /** Brings what only time changes up to date. */
  tick(/** @type {number} */ now) {
    const tile = this.#tile;
    if (tile === null) return;
    write(this.#need, needWords(tile, now));
    for (const [name, text] of Object.entries(lines(tile, now))) {
      const line = this.#lines.get(name);
      if (line) write(line, text);
    }
    const title = `${tile.participant}, ${stageWords(tile)}${(tile.needs ?? []).map((need) => `, ${need.label}`).join("")}`;
    if (this.#button.title !== title) this.#button.title = title;
  }

  #draw(/** @type {Uint8Array | null} */ frame) {
    if (frame === this.#frame) return;
    this.#frame = frame;
    this.#board.classList.toggle("blank", frame === null);
    if (frame) this.#board.show([frame], FRAMES_PER_SECOND);
  }
}

/** The facts of a tile, line by line. @returns {Record<string, string>} */
function lines(/** @type {Tile} */ tile, /** @type {number} */ now) {
  const playing = tile.stage === "playing";
  const others = (tile.needs ?? []).slice(1).map((need) => need.label);
  return {
    environment: playing ? (tile.environment ?? "") : "",
    level: playing && tile.level ? `${tile.part} ${tile.level} of ${tile.levels}` : "",
    actions: playing && tile.actions != null ? `${tile.actions} ${tile.act}${tile.actions === 1 ? "" : "s"}` : "",
    here: playing && tile.environment_zero ? `here ${clock(elapsed(tile.environment_zero, tile, now))}` : "",
    session: tile.session_zero && tile.stage !== "over" ? `session ${clock(elapsed(tile.session_zero, tile, now))}` : "",
    last: playing && tile.acted_at ? `acted ${age((tile.paused_at ?? now) - tile.acted_at)}` : "",
    link: linkWords(tile),
    notes: others.join(", "),
  };
}

/** @param {string} name @param {string} className */
function part(name, className) {
  return Object.assign(document.createElement(name), { className });
}

/** Writes a text unless it is there already. @param {HTMLElement} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {string} name @param {string} value */
function setData(element, name, value) {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

customElements.define("wall-tile", WallTile);
