/** `<replay-log>`: every action and event in order; says `seek` with the entry or the time that was clicked. */

import { actionWords, clock, eventWords, inputWords } from "./descriptions.js";

export class ReplayLog extends HTMLElement {
  /** @type {HTMLButtonElement[]} the button of each entry */
  #buttons = [];
  /** @type {HTMLButtonElement | null} */
  #current = null;
  /** @type {HTMLButtonElement | null} the line that was last found */
  #last = null;

  /** @param {any[]} entries @param {any[]} events */
  fill(entries, events) {
    const list = document.createElement("ol");
    const rows = [
      ...entries.map((entry, index) => ({ time: entry.time, row: this.#entryRow(entry, index, entries[index + 1]) })),
      ...events.map((event) => ({ time: event.time, row: this.#eventRow(event) })),
    ];
    list.append(...rows.sort((one, other) => one.time - other.time).map(({ row }) => row));
    this.replaceChildren(list);
  }

  /** Mark the entry that is shown, and bring it into view. */
  show(/** @type {number} */ entry) {
    const button = this.#buttons[entry];
    if (button === this.#current) return;
    this.#current?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    this.#current = button;
    const [row, box] = [button.getBoundingClientRect(), this.getBoundingClientRect()];
    if (row.top < box.top || row.bottom > box.bottom) this.scrollTop += row.top - box.top - this.clientHeight / 2;
  }

  /** Show only the lines that say this, in any case; how many there are, and of how many. */
  filter(/** @type {string} */ text) {
    const wanted = text.trim().toLowerCase();
    const lines = [...this.querySelectorAll("li")];
    for (const line of lines) line.hidden = !said(line).includes(wanted);
    return { shown: lines.filter((line) => !line.hidden).length, of: lines.length };
  }

  /** Go to the next line that is shown, after the last to the first again; whether there is one. */
  next() {
    const lines = [...this.querySelectorAll("li")];
    const at = lines.findIndex((line) => line.contains(this.#last ?? this.#current));
    const following = [...lines.slice(at + 1), ...lines.slice(0, at + 1)].find((line) => !line.hidden);
    this.#last = following?.querySelector("button") ?? null;
    this.#last?.click();
    return this.#last !== null;
  }

  #entryRow(entry, index, next) {
    const button = row(entry.time, actionWords(entry), tagsOf(entry));
    const felt = next?.previous_paint;
    const facts = [
      entry.seq > 0 && `action ${entry.seq}`, `level ${entry.level}`, inputWords(entry.input),
      Number.isFinite(felt) && `painted after ${felt} ms`,
    ];
    button.title = facts.filter(Boolean).join(", ");
    button.addEventListener("click", () => this.#seek({ entry: index }));
    this.#buttons[index] = button;
    return item(button);
  }

  #eventRow(event) {
    const button = row(Math.max(0, event.time), eventWords(event), []);
    button.classList.add("event");
    button.addEventListener("click", () => this.#seek({ time: Math.max(0, event.time) }));
    return item(button);
  }

  #seek(detail) {
    this.dispatchEvent(new CustomEvent("seek", { detail }));
  }
}

/** All that a line says, what is said of it when it is pointed at too. */
function said(line) {
  return `${line.textContent} ${line.querySelector("button").title}`.toLowerCase();
}

function tagsOf(entry) {
  return [
    entry.level_completed && `level ${entry.level} done`,
    entry.state === "GAME_OVER" && "lost",
    entry.seq > 0 && !entry.changed && "no change",
  ].filter(Boolean);
}

function row(time, words, tags) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "row";
  button.append(part("time", clock(time)), part("words", words), ...tags.map((tag) => part("tag", tag)));
  return button;
}

function part(name, text) {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = text;
  return span;
}

function item(button) {
  const element = document.createElement("li");
  element.append(button);
  return element;
}

customElements.define("replay-log", ReplayLog);
