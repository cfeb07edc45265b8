/**
 * `<staff-calls data-source="…">`: the calls of participants, on every page of staff who may answer them. Also while the page is
 * hidden: the title then says how many wait, and a tone is heard for each new one, and again while nobody answers. Those of rehearsals
 * only on a wall that shows them, as its address says.
 */

import { load } from "../shared/requests.js";

const EVERY_MS = 5000;
const AGAIN_MS = 30_000;
const TITLE = document.title;

class StaffCalls extends HTMLElement {
  known = /** @type {Set<string>} */ (new Set());
  sounded = 0;

  connectedCallback() {
    void this.askAgain();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  calls() {
    return callsIn(this);
  }

  /** One request at a time: the answer to an earlier one would take back what a later one has shown. */
  async askAgain() {
    await this.ask().catch(() => undefined);
    if (this.isConnected) this.timer = setTimeout(() => void this.askAgain(), EVERY_MS);
  }

  async ask() {
    const text = await (await load(`${this.dataset.source ?? ""}${location.search}`)).text();
    const drawn = new DOMParser().parseFromString(text, "text/html").body;
    if (callsIn(drawn).join() !== this.calls().join()) this.replaceChildren(...drawn.childNodes);
    this.say();
  }

  say() {
    const calls = this.calls();
    document.title = calls.length ? `(${calls.length}) Call: ${TITLE}` : TITLE;
    const isNew = calls.some((call) => !this.known.has(call));
    this.known = new Set(calls);
    if (isNew || (calls.length && Date.now() - this.sounded > AGAIN_MS)) this.sound();
  }

  /** Two short tones; a browser allows them once somebody has clicked or pressed a key on the page. */
  sound() {
    this.sounded = Date.now();
    const audio = new AudioContext();
    for (const [at, hertz] of [[0, 660], [0.25, 880]]) {
      const tone = new OscillatorNode(audio, { frequency: hertz });
      const volume = new GainNode(audio, { gain: 0.15 });
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.18);
    }
    setTimeout(() => void audio.close(), 1000);
  }
}

/** Who calls, each with its moment: "session seconds". @param {HTMLElement} part @returns {string[]} */
function callsIn(part) {
  const list = part.querySelector("[data-calls]");
  return list instanceof HTMLElement ? ((list.dataset.calls ?? "").match(/\d+ \d+/g) ?? []) : [];
}

customElements.define("staff-calls", StaffCalls);
