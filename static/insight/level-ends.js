/** `<level-ends>`: loads the last seconds of several people on a level, and plays them together, so that all end at the same moment. With `from-end` it begins there. */

import { required } from "../shared/required.js";
import { journalNotice, loadJournal } from "../review/journal.js";
import { Playback, SPEEDS } from "../review/playback.js";
import { ReplayScreen } from "../review/replay-screen.js";
import { Timeline } from "../review/timeline.js";
import { together } from "./together.js";

/** @import { End } from "./types" */
/** @typedef {{screen: ReplayScreen, offset: number}} Board  `offset`: milliseconds of the common time at which it begins */

/** Boards are loaded so many at a time: the pages of others wait less. */
const AT_ONCE = 3;

/** @type {Record<string, (ends: LevelEnds) => void>} */
const COMMANDS = {
  " ": ({ playback }) => playback?.toggle(),
  ArrowLeft: ({ playback }) => playback?.step("action", -1),
  ArrowRight: ({ playback }) => playback?.step("action", 1),
  ArrowUp: (ends) => ends.changeSpeed(1),
  ArrowDown: (ends) => ends.changeSpeed(-1),
  Home: ({ playback }) => playback?.goTo(0),
  End: ({ playback }) => playback?.toEnd(),
};

class LevelEnds extends HTMLElement {
  /** @type {Playback | null} */
  playback = null;
  /** @type {Board[]} */
  #boards = [];

  connectedCallback() {
    document.addEventListener("keydown", this.#onKey);
    this.#load();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    this.playback?.pause();
  }

  async #load() {
    const waiting = [...this.querySelectorAll("[data-end]")].filter((tile) => tile instanceof HTMLElement);
    /** @type {{end: End, screen: ReplayScreen}[]} */
    const loaded = [];
    const loadNext = async () => {
      for (let tile = waiting.shift(); tile; tile = waiting.shift()) {
        const found = await loadBoard(tile);
        if (found) loaded.push(found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, loadNext));
    if (loaded.length && this.isConnected) this.#start(loaded);
  }

  #start(/** @type {{end: End, screen: ReplayScreen}[]} */ loaded) {
    const { entries, offsets } = together(loaded.map(({ end }) => end));
    this.#boards = loaded.map(({ screen }, index) => ({ screen, offset: offsets[index] }));
    const playback = new Playback(new Timeline(entries, 1));
    this.playback = playback;
    this.#connect(playback);
    if (this.hasAttribute("from-end")) playback.toEnd();
    else playback.goTo(0);
    this.#controls.hidden = false;
  }

  #connect(/** @type {Playback} */ playback) {
    const play = required(this, ".play", HTMLButtonElement);
    play.addEventListener("click", () => playback.toggle());
    playback.addEventListener("playing", () => { play.textContent = playback.playing ? "Pause" : "Play"; });
    playback.addEventListener("moment", () => this.#show(playback));
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (this.querySelectorAll("button[data-count]"))) {
      button.addEventListener("click", () => playback.step("action", Number(button.dataset.count)));
    }
    this.#speed.replaceChildren(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed), speed === 1, speed === 1)));
    this.#speed.addEventListener("change", () => { playback.speed = Number(this.#speed.value); });
    this.#time.max = String(playback.clock.duration / 1000);
    this.#time.addEventListener("input", () => {
      playback.pause();
      playback.seek(1000 * Number(this.#time.value));
    });
  }

  #show(/** @type {Playback} */ playback) {
    const { time } = playback;
    for (const { screen, offset } of this.#boards) screen.show(screen.timeline.at(time - offset));
    const left = (playback.clock.duration - time) / 1000;
    const text = left < 0.05 ? "the end" : `${left.toFixed(1)} s before the end`;
    this.#time.value = String(time / 1000);
    this.#time.setAttribute("aria-valuetext", text);
    required(this, "output", HTMLOutputElement).value = text;
  }

  changeSpeed(/** @type {number} */ by) {
    const next = SPEEDS.indexOf(Number(this.#speed.value)) + by;
    if (!(next in SPEEDS) || !this.playback) return;
    this.#speed.value = String(SPEEDS[next]);
    this.playback.speed = SPEEDS[next];
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || !(key in COMMANDS) || !this.playback) return;
    if (!(target instanceof Element) || target.matches("select, input:not([type=range]), textarea")) return;
    if (key === " " && target.matches("button, a, summary")) return;
    COMMANDS[key](this);
    event.preventDefault();
  };

  get #controls() {
    return required(this, ".together", HTMLElement);
  }

  get #speed() {
    return required(this, "[name=speed]", HTMLSelectElement);
  }

  get #time() {
    return required(this, "[name=time]", HTMLInputElement);
  }
}

/** Puts a person's board into its tile; null if there is none to show, which the tile then says. @param {HTMLElement} tile */
async function loadBoard(tile) {
  const place = required(tile, ".board", HTMLElement);
  try {
    const end = /** @type {End} */ (await loadJournal(tile.dataset.end ?? ""));
    const screen = new ReplayScreen(end);
    place.replaceChildren(screen);
    screen.show(screen.timeline.positions.length - 1);
    if (end.waited !== null && end.waited >= 1) {
      required(tile, ".waited", HTMLElement).textContent = `; ended ${Math.round(end.waited)} s after the last action`;
    }
    return { end, screen };
  } catch (error) {
    place.replaceChildren(journalNotice(error));
    return null;
  }
}

customElements.define("level-ends", LevelEnds);
