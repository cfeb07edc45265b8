/** `<play-pause>`: how the last environment ended, how many were solved, the time left in the session, and one button. */

import { duration } from "./notices.js";
import { PlayDebrief } from "./debrief.js";
import { untilRested } from "./controls.js";
import { AsideTasks } from "./tasks/aside-tasks.js";
import { gettext } from "../shared/catalogue.js";

const SOLVED = [gettext("Solved"), gettext("You solved all of it. Take a breath if you like.")];
const LEFT = [gettext("On to the next one"), gettext("That is fine: some of these are hard.")];
const TIME_UP = [gettext("Not solved"), gettext("The time for this one is over. That is fine: some of these are hard.")];
const FIRST = [gettext("Ready when you are"), gettext("Nobody will tell you the rules. Finding them out is part of it.")];
/** Heading and sentence, by how the environment ended. @type {Readonly<Record<string, string[]>>} */
const TEXTS = Object.freeze({
  completed: SOLVED,
  gave_up: LEFT,
  concluded: LEFT,
  timed_out: TIME_UP,
  tries_used: [gettext("Not solved"), gettext("The tries for this one are used up. That is fine: some of these are hard.")],
  answered: [gettext("Submitted"), gettext("Your answers are stored. Take a breath if you like.")],
  set_aside: [gettext("Set aside"), gettext("You can go back to it from here, as long as your session lasts.")],
  session_over: TIME_UP,
  ended_by_staff: [gettext("On to the next one"), gettext("A member of staff ended that one. You did nothing wrong.")],
  fault: [gettext("That one stopped working"), gettext("It had a technical problem. You did nothing wrong, and it does not count against you.")],
});

const ONLY_ASIDE = gettext("Nothing new is left. Go back to what you set aside, or finish.");

/** @import { IntentGate } from "./turn-taking.js" */
/** @typedef {import("./types.js").SessionInPause} SessionInPause */

/** Events: `next` when the button is pressed, `finish` where nothing new is left; `take-up` with the number of an attempt. */
export class PlayPause extends HTMLElement {
  #ready = false;
  /** Whether hands have rested, so that no press meant for the board presses the button. */
  #settled = false;
  /** @type {IntentGate | null} */
  gate = null;
  /** performance.now() when the session ends; null while its clock stands still. @type {number | null} */
  #endsAt = null;
  #heading = document.createElement("h1");
  #sentence = document.createElement("p");
  #solved = document.createElement("p");
  #left = document.createElement("p");
  #button = document.createElement("button");
  #aside = new AsideTasks();
  /** Whether the button finishes the session. */
  #finishes = false;
  /** Whether patterns are drawn on colours. */
  patterns = false;
  /** The questions about the last environment; an internal play has none. @type {PlayDebrief | null} */
  #debrief = null;

  connectedCallback() {
    this.#heading.tabIndex = -1;
    this.#left.className = "quiet";
    this.#button.type = "button";
    this.#button.className = "primary";
    this.#button.addEventListener("click", () => this.#next());
    const debrief = this.querySelector("play-debrief");
    if (debrief instanceof PlayDebrief) this.#debrief = debrief;
    this.prepend(this.#heading, this.#sentence, this.#solved);
    this.#aside.addEventListener("take-up", (event) => this.#takeUp(event));
    this.append(this.#aside, this.#left, this.#button);
    window.addEventListener("keydown", this.#keyed);
    window.addEventListener("keyup", (event) => {
      if (!this.hidden && event.key === " " && event.target === this.#button) event.preventDefault();
    });
    setInterval(() => this.hidden || this.#tick(), 1000);
  }

  show(/** @type {SessionInPause} */ { previous, session_seconds_left: secondsLeft, paused, solved, debrief, aside, only_aside: onlyAside }) {
    this.#debrief?.show(debrief);
    const [heading, sentence] = previous === null ? FIRST : (TEXTS[previous.cause] ?? (previous.solved ? SOLVED : LEFT));
    this.#heading.textContent = heading;
    this.#sentence.textContent = onlyAside ? ONLY_ASIDE : sentence;
    this.#solved.hidden = previous === null;
    this.#solved.textContent = this.#solvedText(solved);
    this.#aside.show(aside, this.patterns);
    this.#finishes = onlyAside;
    this.#button.textContent = onlyAside ? gettext("Finish") : previous === null ? gettext("Start") : gettext("Next");
    this.#endsAt = paused ? null : performance.now() + secondsLeft * 1000;
    this.#tell(secondsLeft);
    if (this.hidden) this.#settle();
    this.removeAttribute("hidden");
    this.#heading.focus();
  }

  /** The attribute `data-bonus` is what each earns, in the center's currency; "" for none. */
  #solvedText(/** @type {number} */ solved) {
    const { bonus } = this.dataset;
    const counted = gettext("Solved so far: {solved}.", { solved });
    return bonus ? `${counted} ${gettext("Each one that you solve earns {bonus}.", { bonus })}` : counted;
  }

  /** Whether the server takes messages; otherwise the button is disabled. */
  set ready(/** @type {boolean} */ ready) {
    this.#ready = ready;
    this.#enable();
  }

  /** Disables the button until hands have rested: a press meant for the board, or the next of a series, does not press it. */
  #settle() {
    const report = (/** @type {boolean} */ rested) => {
      this.#settled = rested;
      this.#enable();
    };
    if (this.gate) untilRested(this.gate, report);
    else report(true);
  }

  #enable() {
    this.#button.disabled = !(this.#ready && this.#settled);
    this.#aside.ready = !this.#button.disabled;
  }

  #tick() {
    if (this.#endsAt !== null) this.#tell(Math.max(0, (this.#endsAt - performance.now()) / 1000));
  }

  #tell(/** @type {number} */ seconds) {
    this.#left.textContent = gettext("About {time} left in your session.", { time: duration(seconds) });
  }

  #keyed = (/** @type {KeyboardEvent} */ event) => {
    if (this.hidden || (event.key !== "Enter" && event.key !== " ")) return;
    if (event.target instanceof HTMLButtonElement && event.target !== this.#button) return;
    if (this.#finishes && event.target !== this.#button) return; // what ends the session is chosen, not met by a key too many
    if (event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.key === " ")) return;
    event.preventDefault();
    if (!event.repeat) this.#next();
  };

  #next() {
    if (this.#button.disabled) return;
    this.#button.disabled = true;
    this.#debrief?.send();
    this.dispatchEvent(new Event(this.#finishes ? "finish" : "next"));
  }

  #takeUp(/** @type {Event} */ event) {
    if (this.#button.disabled || !(event instanceof CustomEvent)) return;
    this.#button.disabled = true;
    this.#aside.ready = false;
    this.#debrief?.send();
    this.dispatchEvent(new CustomEvent("take-up", { detail: event.detail }));
  }
}

customElements.define("play-pause", PlayPause);
