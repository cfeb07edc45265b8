/** `<replay-log>`: every action and event in order. Events: `seek-entry` with an entry, `seek-time` with milliseconds of real time. */

import { actionLabel, clockText, eventLabel, pauseLabel, pressFacts, wordsOf } from "./descriptions.js";

/** @import { Entry, JournalEvent, Pause } from "./types" */
/** @typedef {ReturnType<typeof wordsOf>} Words */

export class ReplayLog extends HTMLElement {
  /** @type {HTMLButtonElement[]} the button of each entry */
  #buttons = [];
  #words = wordsOf({});
  /** @type {HTMLButtonElement | null} */
  #current = null;

  /** @param {Entry[]} entries @param {JournalEvent[]} events @param {Pause[]} [pauses] @param {Words} [words] */
  fill(entries, events, pauses = [], words = wordsOf({})) {
    this.#words = words;
    this.#buttons = entries.map((entry, index) => this.#entryButton(entry, index));
    const lines = [
      ...entries.map(({ time }, index) => ({ time, button: this.#buttons[index] })),
      ...events.map((event) => ({ time: event.time, button: this.#eventButton(event, pauses) })),
    ];
    const list = document.createElement("ol");
    for (const { button } of lines.toSorted((one, other) => one.time - other.time)) {
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    this.replaceChildren(list);
  }

  /** Marks the entry that is shown, and scrolls to it. */
  show(/** @type {number} */ entry) {
    const button = this.#buttons[entry];
    if (button === this.#current) return;
    this.#current?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    this.#current = button;
    const [line, box] = [button.getBoundingClientRect(), this.getBoundingClientRect()];
    if (line.top < box.top || line.bottom > box.bottom) this.scrollTop += line.top - box.top - this.clientHeight / 2;
  }

  /** @param {Entry} entry @param {number} index */
  #entryButton(entry, index) {
    const button = buttonOf(entry.time, actionLabel(entry), tagsOf(entry, this.#words));
    const facts = [
      entry.seq > 0 && `${this.#words.action} ${entry.seq}`, `${this.#words.level} ${entry.level}`, ...pressFacts(entry),
      entry.paint != null && `painted after ${entry.paint} ms`,
    ];
    button.title = facts.filter(Boolean).join(", ");
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("seek-entry", { detail: index })));
    return button;
  }

  /** @param {JournalEvent} event @param {Pause[]} pauses */
  #eventButton(event, pauses) {
    const time = Math.max(0, event.time);
    const pause = event.kind === "paused" ? pauses.find((one) => one.time === event.time) : undefined;
    const button = buttonOf(time, eventLabel(event), pause ? [pauseLabel(pause)] : []);
    button.classList.add("event");
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("seek-time", { detail: time })));
    return button;
  }
}

/** @param {Entry} entry @param {Words} words */
function tagsOf(entry, { level, lost }) {
  return [
    entry.level_completed ? `${level} ${entry.level} ${entry.edit ? "solved" : "done"}` : "",
    entry.state === "GAME_OVER" ? lost : "",
    entry.seq > 0 && !entry.changed && !entry.submission ? "no change" : "",
    entry.input === "key_repeat" ? "repeat" : "",
    entry.queued ? `queued ${entry.queued} ms` : "",
  ].filter(Boolean);
}

/** @param {number} time @param {string} label @param {string[]} tags */
function buttonOf(time, label, tags) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "row";
  button.append(part("time", clockText(time)), part("label", label), ...tags.map((tag) => part("tag", tag)));
  return button;
}

function part(/** @type {string} */ name, /** @type {string} */ text) {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = text;
  return span;
}

customElements.define("replay-log", ReplayLog);
