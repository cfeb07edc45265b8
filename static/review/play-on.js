/**
 * Plays the next replay of a list when this one has ended, for who has chosen so. The choice stays in this browser.
 */

import { inList } from "./shortcuts.js";

/** @import { Playback } from "./playback.js" */

const CHOSEN = "replay-play-on";
/** That the next page is to play at once; kept in the tab. */
const ARRIVES = "replay-arrives-playing";
const WAIT_MS = 2500;

export class PlayOn {
  #timer = 0;

  /**
   * @param {HTMLInputElement} box
   * @param {Playback} playback
   * @param {(message: string) => void} say
   */
  constructor(box, playback, say) {
    this.box = box;
    this.playback = playback;
    this.say = say;
    const label = box.closest("label");
    if (label) label.hidden = inList("next") === null;
    box.checked = localStorage.getItem(CHOSEN) === "yes";
    box.addEventListener("change", () => {
      localStorage.setItem(CHOSEN, box.checked ? "yes" : "no");
      this.#stay();
    });
    playback.addEventListener("ended", () => this.#wait());
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => this.#stay(), { capture: true });
  }

  /** Plays, if the replay before has led here. */
  arrive() {
    if (sessionStorage.getItem(ARRIVES) !== location.pathname) return;
    sessionStorage.removeItem(ARRIVES);
    if (!this.playback.playing) this.playback.toggle();
  }

  #wait() {
    const next = inList("next");
    if (!next || !this.box.checked) return;
    this.say("The next replay begins. Any key stays here.");
    this.#timer = setTimeout(() => {
      sessionStorage.setItem(ARRIVES, next.pathname);
      next.click();
    }, WAIT_MS);
  }

  #stay() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.say("");
  }
}
