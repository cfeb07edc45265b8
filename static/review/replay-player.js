/**
 * `<replay-player src="…/journal.json">`: loads a journal and plays it. Event: `replay-moment` with the `seq` shown. What is in it
 * with `data-beside` is placed beside the board. `first` is the action after which it begins if the address names no moment.
 */

import { required } from "../shared/required.js";
import { wordsOf } from "./descriptions.js";
import { journalNotice, loadJournal, notice } from "./journal.js";
import { layoutOf } from "./layout.js";
import { Replay } from "./replay.js";
import { runShortcut } from "./shortcuts.js";

class ReplayPlayer extends HTMLElement {
  /** @type {Replay | null} */
  #replay = null;

  connectedCallback() {
    this.#load();
    document.addEventListener("keydown", this.#onKey);
    document.addEventListener("click", this.#onClick);
    window.addEventListener("hashchange", this.#onHashChange);
    window.addEventListener("resize", this.#fit);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    document.removeEventListener("click", this.#onClick);
    window.removeEventListener("hashchange", this.#onHashChange);
    window.removeEventListener("resize", this.#fit);
    this.#replay?.playback.pause();
  }

  async #load() {
    try {
      const journal = await loadJournal(this.getAttribute("src") ?? "");
      if (journal.entries.length === 0) {
        this.replaceChildren(notice("There is nothing to replay: the attempt ended before its first frame was shown."));
        return;
      }
      const added = this.querySelectorAll("[data-beside]");
      this.innerHTML = layoutOf(wordsOf(journal));
      required(this, "replay-comments", HTMLElement).before(...added);
      this.#replay = new Replay(this, journal);
      if (journal.otherwise) this.before(notice(journal.otherwise));
      if (journal.entries.length === 1) {
        required(this, "output", HTMLOutputElement).before(`No ${wordsOf(journal).action} was made: this is the first and only frame. `);
      }
      this.#fit();
      this.#replay.start();
    } catch (error) {
      this.replaceChildren(journalNotice(error));
    }
  }

  /** The player fills the window below the page's head; or the whole window, if much else is above it. */
  #fit = () => {
    const above = this.getBoundingClientRect().top + window.scrollY;
    this.style.setProperty("--above", `${above > window.innerHeight / 2 ? 0 : Math.ceil(above)}px`);
  };

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (this.#replay && runShortcut(event, this.#replay)) event.preventDefault();
  };

  /** A menu closes when something else is clicked. */
  #onClick = (/** @type {MouseEvent} */ { target }) => {
    const menu = this.querySelector(".more[open]");
    if (menu && !(target instanceof Node && menu.contains(target))) menu.removeAttribute("open");
  };

  #onHashChange = () => this.#replay?.goToAddress();
}

customElements.define("replay-player", ReplayPlayer);
