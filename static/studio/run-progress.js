/**
 * `<run-progress data-source="…/progress.json" data-found="0">`: asks how far a run is. What it has found so far is
 * `#so-far`, taken from the page again when there is more; when the run is over the page is loaded again.
 * `data-steady`: each share of it takes about as long, so it can be told how long the rest takes.
 */

import { remaining } from "./remaining.js";

const EVERY_MS = 1000;
const SILENT = "The server does not answer; trying again.";
const SIGNED_OUT = "You were signed out. ";
const GONE = "How far it is can no longer be read here. Load the page again.";

class RunProgress extends HTMLElement {
  connectedCallback() {
    this.found = Number(this.dataset.found);
    this.timer = setInterval(() => this.ask(), EVERY_MS);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  async ask() {
    if (this.asking || document.visibilityState !== "visible") return;
    this.asking = true;
    try {
      const response = await fetch(this.dataset.source, { redirect: "manual" });
      if (response.type === "opaqueredirect") this.stop(SIGNED_OUT, signIn());
      else if (response.status === 403 || response.status === 404) this.stop(GONE);
      else if (!response.ok) this.say(SILENT);
      else await this.show(await response.json());
    } catch {
      this.say(SILENT);
    } finally {
      this.asking = false;
    }
  }

  async show({ unfinished, share, words, found }) {
    if (!unfinished) {
      clearInterval(this.timer);
      location.reload();
      return;
    }
    this.say("");
    if (share !== null) this.querySelector("progress").value = share;
    this.querySelector(".words").textContent = [words, this.left(share)].filter(Boolean).join("; ");
    if (found === this.found) return;
    await freshen();
    this.found = found;
  }

  left(share) {
    if (!("steady" in this.dataset) || !share) return "";
    const now = { ms: performance.now(), share };
    this.first ??= now;
    return remaining(this.first, now);
  }

  stop(...words) {
    clearInterval(this.timer);
    this.say(...words);
  }

  /** Said aloud, too, so only when it changes. */
  say(...words) {
    const status = this.querySelector("[role=status]");
    const text = words.map((word) => word.textContent ?? word).join("");
    if (status.textContent !== text) status.replaceChildren(...words);
  }
}

/** Back to this very page by way of the sign-in. */
function signIn() {
  return Object.assign(document.createElement("a"), { href: location.href, textContent: "Sign in again" });
}

/** What was found so far, as the page says it now. */
async function freshen() {
  const response = await fetch(location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [shown, fresh] = [document, page].map((whole) => whole.querySelector("#so-far"));
  if (shown && fresh && !shown.contains(document.activeElement)) shown.replaceWith(fresh);
}

customElements.define("run-progress", RunProgress);
