/**
 * `<job-progress>`: asks for the page again to say how far its job is. Findings so far are `#so-far`; a page without this element is
 * that of a job that is over, and is loaded.
 * `data-steady`: each share of it takes about as long, so the remaining time can be estimated.
 */

import { poll } from "../shared/polling.js";
import { fetchInTime } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { remaining } from "./remaining.js";

/** @import { Seen } from "./remaining.js" */

const EVERY_MS = 2000;
const SILENT = "The server does not answer. Trying again.";
const SIGNED_OUT = "You were signed out. ";
const GONE = "The progress can no longer be read here. Load the page again.";

class JobProgress extends HTMLElement {
  /** The findings as they came last. */
  findings = "";
  /** @type {Seen | undefined} */
  first;

  connectedCallback() {
    this.stopPolling = poll((signal) => this.ask(signal), EVERY_MS, () => this.say(SILENT));
  }

  disconnectedCallback() {
    this.stopPolling?.();
  }

  async ask(/** @type {AbortSignal} */ signal) {
    const response = await fetchInTime(location.href, { redirect: "manual", signal });
    if (response.type === "opaqueredirect") this.stop(SIGNED_OUT, signIn());
    else if (response.status === 403 || response.status === 404) this.stop(GONE);
    else if (!response.ok) throw new Error(`status ${response.status}`);
    else this.show(new DOMParser().parseFromString(await response.text(), "text/html"));
  }

  show(/** @type {Document} */ page) {
    const fresh = page.querySelector("job-progress");
    if (!fresh) {
      this.stopPolling?.();
      location.reload();
      return;
    }
    this.say("");
    const { position: share } = required(fresh, "progress", HTMLProgressElement);
    if (share >= 0) required(this, "progress", HTMLProgressElement).value = share;
    const text = required(fresh, ".progress-text", HTMLElement).textContent;
    required(this, ".progress-text", HTMLElement).textContent = [text, this.timeLeft(share)].filter(Boolean).join("; ");
    this.showFindings(page);
  }

  showFindings(/** @type {Document} */ page) {
    const [shown, fresh] = [document, page].map((whole) => whole.querySelector("#so-far"));
    if (!shown || !fresh || fresh.innerHTML === this.findings || shown.contains(document.activeElement)) return;
    this.findings = fresh.innerHTML;
    shown.replaceWith(fresh);
  }

  /** @param {number} share  0 to 1; negative if it is not known */
  timeLeft(share) {
    if (!("steady" in this.dataset) || share <= 0) return "";
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

customElements.define("job-progress", JobProgress);
