/**
 * `<staff-controls data-source="…">`: controls that the server draws (`center/interventions/`), of a session or of a room. Forms are
 * sent without leaving the page, and the answer replaces the controls. `data-source` can be changed at any time. Between actions the
 * controls are drawn again every few seconds; while somebody is using them, only what they say about the state. After an action it
 * dispatches `controls-used`.
 */

import { poll } from "../shared/polling.js";
import { fetchInTime, load } from "../shared/requests.js";

const EVERY_MS = 5000;
const HEADERS = { "X-Fragment": "controls" };

class StaffControls extends HTMLElement {
  static observedAttributes = ["data-source"];
  /** How often something was sent: an answer to what was asked before that is out of date. */
  sent = 0;

  connectedCallback() {
    this.sending = false;
    this.addEventListener("submit", this);
    this.stop = poll((signal) => this.refresh(signal), EVERY_MS);
  }

  disconnectedCallback() {
    this.removeEventListener("submit", this);
    this.stop?.();
  }

  attributeChangedCallback(/** @type {string} */ _name, /** @type {string | null} */ before, /** @type {string | null} */ now) {
    if (before !== null && before !== now) this.replaceChildren();
    if (now && before !== now && !this.childElementCount) void this.load().catch(() => this.warn());
  }

  handleEvent(/** @type {Event} */ event) {
    if (!(event instanceof SubmitEvent) || !(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    void this.send(event.target, event.submitter?.hasAttribute("formaction") ? /** @type {HTMLButtonElement} */ (event.submitter).formAction : event.target.action);
  }

  /** Asks for the controls, whatever is shown. @param {AbortSignal} [signal] */
  async load(signal) {
    const source = this.dataset.source ?? "", { sent } = this;
    const text = await (await load(source, { headers: HEADERS, signal })).text();
    if (source === this.dataset.source && sent === this.sent) this.show(text, this.inUse());
  }

  async refresh(/** @type {AbortSignal} */ signal) {
    if (this.dataset.source && !this.sending) await this.load(signal);
  }

  /** Whether drawing the controls again would take something from somebody. */
  inUse() {
    const typed = [...this.querySelectorAll("input:not([type=hidden], [type=radio])")].some((field) => field instanceof HTMLInputElement && field.value);
    const focused = this.contains(document.activeElement) && !document.activeElement?.matches(".notice");
    return typed || focused || this.querySelector("details[open], [data-stays]") !== null;
  }

  async send(/** @type {HTMLFormElement} */ form, /** @type {string} */ action) {
    if (this.sending) return;
    this.sending = true;
    this.sent += 1;
    const source = this.dataset.source;
    const name = form.hasAttribute("data-keeps-focus") ? form.action : null;
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    const response = await fetchInTime(action, { method: "POST", headers: HEADERS, body: new FormData(form) }).catch(() => null);
    const text = response && response.headers.get("Content-Type")?.startsWith("text/html") ? await response.text().catch(() => "") : "";
    this.sending = false;
    if (source !== this.dataset.source) return;
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    if (!text.includes('class="controls"')) {
      this.warn();
      return;
    }
    const kept = response?.ok ? "" : valueOf(form);
    this.show(text);
    this.focusAfter(name, kept);
    this.dispatchEvent(new CustomEvent("controls-used", { bubbles: true }));
  }

  /** @param {string} text  @param {boolean} [stateOnly]  whether the controls themselves stay */
  show(text, stateOnly = false) {
    const drawn = new DOMParser().parseFromString(text, "text/html").body;
    const [before, now] = [this.querySelector(".state"), drawn.querySelector(".state")];
    if (stateOnly && before && now) before.replaceChildren(...now.childNodes);
    else this.replaceChildren(...drawn.childNodes);
  }

  /** The field that was used keeps the focus; else what was said gets it. */
  focusAfter(/** @type {string | null} */ action, /** @type {string} */ kept) {
    const form = action ? [...this.querySelectorAll("form")].find((one) => one.action === action) : undefined;
    const field = form?.querySelector("input:not([type=hidden])");
    if (field instanceof HTMLInputElement) {
      field.value = kept;
      field.focus();
      return;
    }
    const notice = this.querySelector(".notice");
    if (notice instanceof HTMLElement) notice.focus({ preventScroll: true });
  }

  /** Nothing is known about what was sent: the same form can be sent again, and acts once. */
  warn() {
    this.querySelector(".unreachable")?.remove();
    const notice = Object.assign(document.createElement("p"), { className: "notice bad unreachable" });
    notice.setAttribute("role", "alert");
    notice.textContent = "The server does not answer, or you are signed out. Try again, or load the page again.";
    this.prepend(notice);
  }
}

/** What was typed into a form's first field. @param {HTMLFormElement} form */
function valueOf(form) {
  const field = form.querySelector("input:not([type=hidden])");
  return field instanceof HTMLInputElement ? field.value : "";
}

customElements.define("staff-controls", StaffControls);
