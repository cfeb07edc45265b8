/**
 * `<job-progress data-source="…/progress.json" data-found="0">`: asks how far a job is. Its findings so far are `#so-far`, taken
 * from the page again when there are more; when the job is over, the page is loaded again.
 * `data-steady`: each share of it takes about as long, so the remaining time can be estimated.
 */

import { poll } from "../shared/polling.js";
import { fetchInTime, loadPage } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { remaining } from "./remaining.js";

/** @import { Seen } from "./remaining.js" */
/** @typedef {{unfinished: boolean, share: number | null, text: string, found: number}} Progress  share: 0 to 1 */

const EVERY_MS = 1000;
const SILENT = "The server does not answer. Trying again.";
const SIGNED_OUT = "You were signed out. ";
const GONE = "The progress can no longer be read here. Load the page again.";

class JobProgress extends HTMLElement {
  found = 0;
  /** @type {Seen | undefined} */
  first;

  connectedCallback() {
    this.found = Number(this.dataset.found);
    this.stopPolling = poll((signal) => this.ask(signal), EVERY_MS, () => this.say(SILENT));
  }

  disconnectedCallback() {
    this.stopPolling?.();
  }

  async ask(/** @type {AbortSignal} */ signal) {
    const response = await fetchInTime(this.dataset.source ?? "", { redirect: "manual", signal });
    if (response.type === "opaqueredirect") this.stop(SIGNED_OUT, signIn());
    else if (response.status === 403 || response.status === 404) this.stop(GONE);
    else if (!response.ok) throw new Error(`status ${response.status}`);
    else await this.show(await response.json());
  }

  /** @param {Progress} progress */
  async show({ unfinished, share, text, found }) {
    if (!unfinished) {
      this.stopPolling?.();
      location.reload();
      return;
    }
    this.say("");
    if (share !== null) required(this, "progress", HTMLProgressElement).value = share;
    required(this, ".progress-text", HTMLElement).textContent = [text, this.timeLeft(share)].filter(Boolean).join("; ");
    if (found === this.found) return;
    await updateFindings();
    this.found = found;
  }

  timeLeft(/** @type {number | null} */ share) {
    if (!("steady" in this.dataset) || !share) return "";
    const now = { ms: performance.now(), share };
    this.first ??= now;
    return remaining(this.first, now);
  }

  stop(/** @type {(string | Node)[]} */ ...message) {
    this.stopPolling?.();
    this.say(...message);
  }

  /** Changes the status only if it differs: screen readers announce it. */
  say(/** @type {(string | Node)[]} */ ...message) {
    const status = required(this, "[role=status]", HTMLElement);
    const text = message.map((part) => (part instanceof Node ? part.textContent : part)).join("");
    if (status.textContent !== text) status.replaceChildren(...message);
  }
}

/** A link back to this page through the sign-in. */
function signIn() {
  return Object.assign(document.createElement("a"), { href: location.href, textContent: "Sign in again" });
}

/** Replaces the findings so far by those of the page as it is now. */
async function updateFindings() {
  const page = await loadPage(location.href);
  const [shown, fresh] = [document, page].map((whole) => whole.querySelector("#so-far"));
  if (shown && fresh && !shown.contains(document.activeElement)) shown.replaceWith(fresh);
}

customElements.define("job-progress", JobProgress);
