/** `<run-notes src="…/notes.json">`: what an agent sent with the action that the `<replay-player>` around it shows. */

import { ask, refusalNotice } from "../shared/requests.js";

/** @import { Note, Usage } from "./types" */

const ACTIONS_A_BLOCK = 64;

class RunNotes extends HTMLElement {
  /** The notes of blocks of actions that were asked for. @type {Map<number, Promise<Note[]>>} */
  #blocks = new Map();
  #seq = -1;
  /** @type {Element | null} */
  #player = null;

  connectedCallback() {
    this.#player = this.closest("replay-player");
    this.#player?.addEventListener("replay-moment", this.#onMoment);
  }

  disconnectedCallback() {
    this.#player?.removeEventListener("replay-moment", this.#onMoment);
  }

  #onMoment = (/** @type {Event} */ event) => {
    if (event instanceof CustomEvent && event.detail.seq !== this.#seq) this.#show(event.detail.seq);
  };

  async #show(/** @type {number} */ seq) {
    this.#seq = seq;
    this.hidden = false;
    const parts = await this.#partsOf(seq);
    if (seq !== this.#seq) return;
    this.replaceChildren(heading(seq), ...parts);
    this.scrollTop = 0;
  }

  /** @returns {Promise<HTMLElement[]>} */
  async #partsOf(/** @type {number} */ seq) {
    if (seq === 0) return [paragraph("The opening frame: no action led to it.", "muted")];
    const block = Math.floor(seq / ACTIONS_A_BLOCK);
    try {
      const note = (await this.#load(block)).find((one) => one.seq === seq);
      return note ? partsOfNote(note) : [paragraph("The agent sent nothing with this action.", "muted")];
    } catch (error) {
      this.#blocks.delete(block);
      return [refusalNotice(error)];
    }
  }

  #load(/** @type {number} */ block) {
    const known = this.#blocks.get(block);
    if (known) return known;
    const asked = ask("GET", `${this.getAttribute("src")}?block=${block}`).then((/** @type {{notes: Note[]}} */ { notes }) => notes);
    this.#blocks.set(block, asked);
    return asked;
  }
}

/** The parts of a note: what it says in words first, then everything else that it holds. */
function partsOfNote(/** @type {Note} */ note) {
  const value = valueOf(note.reasoning);
  const used = note.usage ? [paragraph(usageText(note.usage), "used")] : [];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [...textParts(value), ...used];
  const said = Object.entries(value).filter(([name]) => !note.usage || (name !== "usage" && name !== "cost"));
  return [...used, ...said.flatMap(([name, part]) => [Object.assign(document.createElement("h3"), { textContent: name }), ...textParts(part)])];
}

/** The JSON value of a text, also where it is JSON within a JSON string; the text itself if it is none. */
function valueOf(/** @type {string} */ text) {
  /** @type {unknown} */
  let value = text;
  for (let depth = 0; depth < 2 && typeof value === "string"; depth += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      break;
    }
  }
  return value;
}

/** A text as a paragraph that keeps its lines, any other value as indented JSON; nothing for what is empty. */
function textParts(/** @type {unknown} */ value) {
  if (value === null || value === "") return [];
  if (typeof value === "string") return [paragraph(value, "text")];
  return [Object.assign(document.createElement("pre"), { textContent: JSON.stringify(value, null, 2) })];
}

function usageText(/** @type {Usage} */ usage) {
  const tokens = `${usage.total_tokens.toLocaleString("en")} tokens: ${usage.input_tokens.toLocaleString("en")} in, ${usage.output_tokens.toLocaleString("en")} out`;
  const reasoning = usage.reasoning_tokens ? ` (${usage.reasoning_tokens.toLocaleString("en")} reasoning)` : "";
  return `${tokens}${reasoning}${usage.priced ? ` · $${usage.total_cost.toFixed(4)}` : ""}`;
}

function heading(/** @type {number} */ seq) {
  return Object.assign(document.createElement("h2"), { textContent: seq === 0 ? "Reasoning" : `Reasoning of action ${seq}` });
}

function paragraph(/** @type {string} */ text, /** @type {string} */ className) {
  return Object.assign(document.createElement("p"), { className, textContent: text });
}

customElements.define("run-notes", RunNotes);
