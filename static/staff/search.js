/**
 * The search field of every page: answers while one types, opened by Ctrl+K.
 * Without a script, Enter leads to the page of results, as it does when nothing is chosen.
 */

import { load } from "../shared/requests.js";
import { required } from "../shared/required.js";

/**
 * @typedef {{title: string, address: string, detail: string, picture: string}} Found
 * @typedef {{plural: string, has_more: boolean, found: Found[]}} Group
 */

const TYPING_MILLISECONDS = 120;

class StaffSearch extends HTMLElement {
  /** The number of the newest question: answers to older ones come too late. */
  #asked = 0;
  /** @type {number | undefined} */
  #timer;
  /** @type {HTMLAnchorElement[]} */
  #options = [];
  #chosen = -1;

  connectedCallback() {
    this.#field.setAttribute("role", "combobox");
    this.#field.setAttribute("aria-expanded", "false");
    this.#field.setAttribute("aria-controls", this.#listbox.id);
    this.#field.setAttribute("aria-autocomplete", "list");
    this.#field.addEventListener("input", () => this.#later());
    this.#field.addEventListener("focus", () => this.#ask());
    this.#field.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node) || !this.contains(event.relatedTarget)) this.#close();
    });
    // The field keeps the focus while a result is pressed.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.#field.focus();
      this.#field.select();
    });
  }

  get #field() {
    return required(this, "input", HTMLInputElement);
  }

  get #list() {
    return required(this, ".search-list", HTMLElement);
  }

  get #listbox() {
    return required(this, "[role=listbox]", HTMLElement);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), TYPING_MILLISECONDS);
  }

  async #ask() {
    clearTimeout(this.#timer);
    const typed = this.#field.value.trim();
    const number = ++this.#asked;
    if (!typed) {
      this.#show([], "");
      return;
    }
    this.#list.setAttribute("aria-busy", "true");
    try {
      const response = await load(`${this.dataset.foundAt ?? ""}?q=${encodeURIComponent(typed)}`);
      /** @type {{groups: Group[]}} */
      const { groups } = await response.json();
      if (number === this.#asked) this.#show(groups, "Nothing is found. Type an id, a number or words of a title.");
    } catch {
      if (number === this.#asked) this.#show([], "The search does not answer. Press Enter to try again.");
    }
  }

  /** @param {Group[]} groups @param {string} otherwise  what is said where nothing is listed */
  #show(groups, otherwise) {
    this.#list.removeAttribute("aria-busy");
    this.#options = [];
    this.#chosen = -1;
    const parts = groups.filter(({ found }) => found.length).map((group) => this.#group(group));
    const count = this.#options.length;
    this.#listbox.replaceChildren(...parts);
    this.#status.textContent = count ? `${count} ${count === 1 ? "result" : "results"}` : otherwise;
    this.#status.classList.toggle("visually-hidden", count > 0);
    this.#open(this.#status.textContent !== "" && this.contains(document.activeElement));
    this.#point();
  }

  get #status() {
    return required(this, "[role=status]", HTMLElement);
  }

  /** @param {Group} group */
  #group({ plural, has_more, found }) {
    const part = document.createElement("div");
    part.setAttribute("role", "group");
    const heading = textElement("p", has_more ? `${plural}, the first ${found.length}` : plural, "search-kind");
    heading.id = `search-kind-${this.#options.length}`;
    part.setAttribute("aria-labelledby", heading.id);
    part.append(heading, ...found.map((one) => this.#option(one)));
    return part;
  }

  /** @param {Found} found */
  #option({ title, address, detail, picture }) {
    const option = document.createElement("a");
    option.href = address;
    option.id = `search-option-${this.#options.length}`;
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    const text = document.createElement("span");
    text.append(textElement("span", title, "search-title"), " ", textElement("span", detail, "muted"));
    if (picture) option.append(firstFrame(picture));
    option.append(text);
    this.#options.push(option);
    return option;
  }

  #press(/** @type {KeyboardEvent} */ event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && this.#isOpen) {
      event.preventDefault();
      this.#close();
    } else if (step && this.#options.length) {
      event.preventDefault();
      this.#open(true);
      const count = this.#options.length + 1; // one more: nothing is chosen
      this.#chosen = ((this.#chosen + 1 + step + count) % count) - 1;
      this.#point();
    } else if (event.key === "Enter" && this.#isOpen && this.#options[this.#chosen]) {
      event.preventDefault();
      this.#options[this.#chosen].click();
    }
  }

  /** Marks the chosen result for eyes and for screen readers. */
  #point() {
    this.#options.forEach((option, index) => option.setAttribute("aria-selected", String(index === this.#chosen)));
    const chosen = this.#options[this.#chosen];
    if (chosen) {
      this.#field.setAttribute("aria-activedescendant", chosen.id);
      chosen.scrollIntoView({ block: "nearest" });
    } else {
      this.#field.removeAttribute("aria-activedescendant");
    }
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  #open(/** @type {boolean} */ isOpen) {
    this.#list.hidden = !isOpen;
    this.#field.setAttribute("aria-expanded", String(isOpen));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#open(false);
    this.#field.removeAttribute("aria-activedescendant");
  }
}

/** @param {string} name @param {string} text @param {string} className */
function textElement(name, text, className) {
  return Object.assign(document.createElement(name), { textContent: text, className });
}

/** What the title says already, so that screen readers pass over it. @param {string} address */
function firstFrame(address) {
  return Object.assign(new Image(32, 32), { className: "first-frame", alt: "", src: address });
}

customElements.define("staff-search", StaffSearch);
