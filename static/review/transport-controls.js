/** The buttons and choices that move a replay: step, play, speed, clock, idle time. */

import { required } from "../shared/required.js";
import { SPEEDS } from "./playback.js";

/** @import { Playback, StepUnit } from "./playback.js" */

const SETTINGS_KEY = "replay-controls";

export class TransportControls {
  /** @param {HTMLElement} player  with the layout of layout.js @param {Playback} playback */
  constructor(player, playback) {
    this.playback = playback;
    this.speed = required(player, "[name=speed]", HTMLSelectElement);
    this.clock = required(player, "[name=clock]", HTMLSelectElement);
    this.skip = required(player, "[name=skip]", HTMLInputElement);
    this.idle = required(player, "[name=idle]", HTMLInputElement);
    const play = required(player, ".play", HTMLButtonElement);
    play.addEventListener("click", () => playback.toggle());
    playback.addEventListener("playing", () => { play.textContent = playback.playing ? "Pause" : "Play"; });
    for (const button of player.querySelectorAll("button")) {
      const { unit, count } = button.dataset;
      if (unit) button.addEventListener("click", () => playback.step(/** @type {StepUnit} */ (unit), Number(count)));
    }
    this.speed.addEventListener("change", () => this.#apply());
    this.skip.addEventListener("change", () => this.#apply());
    this.idle.addEventListener("input", () => { playback.idleLimit = 1000 * Math.max(1, Number(this.idle.value) || 0); });
    this.clock.addEventListener("change", () => {
      playback.useClock(this.clock.value);
      this.#remember();
    });
    this.#recall();
  }

  changeSpeed(/** @type {number} */ by) {
    const next = SPEEDS.indexOf(Number(this.speed.value)) + by;
    if (next in SPEEDS) this.speed.value = String(SPEEDS[next]);
    this.#apply();
  }

  #apply() {
    this.playback.speed = Number(this.speed.value);
    this.playback.skipsIdle = this.skip.checked;
    this.#remember();
  }

  /** Keeps how one watches in this browser, for the next replay. */
  #remember() {
    localStorage.setItem(SETTINGS_KEY, JSON.stringify({ speed: this.speed.value, clock: this.clock.value, skip: this.skip.checked }));
  }

  #recall() {
    const kept = JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? "{}");
    select(this.speed, kept.speed);
    select(this.clock, kept.clock);
    this.skip.checked = kept.skip === true;
    if (this.clock.value !== "time") this.playback.useClock(this.clock.value);
    this.playback.speed = Number(this.speed.value);
    this.playback.skipsIdle = this.skip.checked;
  }
}

/** Selects the option with a value, if the list has it. @param {HTMLSelectElement} list @param {unknown} value */
function select(list, value) {
  const found = [...list.options].findIndex((option) => option.value === value);
  if (found >= 0) list.selectedIndex = found;
}

/** Selects the next option of a list, the first after the last. */
export function selectNext(/** @type {HTMLSelectElement} */ list) {
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  list.dispatchEvent(new Event("change"));
}
