/**
 * Filters that apply when one of them is changed, without a button. On a phone they are folded below one line that says what is
 * chosen. Without a script the form has its button and is never folded.
 */

import { required } from "../shared/required.js";

const NARROW = "(max-width: 40rem)";
/** Where the focus was when a filter was applied, so that the next page has it there, too. */
const FOCUS_KEY = "filter-focus";

class PageFilters extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    if (!form) return;
    form.addEventListener("change", (event) => {
      if (!(event.target instanceof HTMLSelectElement || isSwitch(event.target))) return;
      if (!form.checkValidity()) return;
      sessionStorage.setItem(FOCUS_KEY, `${location.pathname} ${event.target.id}`);
      form.setAttribute("aria-busy", "true");
      form.requestSubmit();
    });
    // A page that comes back from the history is not busy.
    window.addEventListener("pageshow", () => form.removeAttribute("aria-busy"));
    this.#fold(form);
    this.#focusAgain();
  }

  #fold(/** @type {HTMLFormElement} */ form) {
    const fold = required(this, "details", HTMLDetailsElement);
    const chosen = [...form.querySelectorAll("select")].map((select) => select.selectedOptions[0]?.textContent?.trim()).filter(Boolean);
    if (chosen.length) required(fold, "summary", HTMLElement).textContent = `Filters: ${chosen.join(", ")}`;
    const narrow = matchMedia(NARROW);
    const adapt = () => {
      fold.open = !narrow.matches;
    };
    narrow.addEventListener("change", adapt);
    adapt();
  }

  #focusAgain() {
    const [page, id] = (sessionStorage.getItem(FOCUS_KEY) ?? "").split(" ");
    if (page !== location.pathname || !id) return;
    const control = this.querySelector(`#${CSS.escape(id)}`);
    if (!(control instanceof HTMLElement)) return;
    sessionStorage.removeItem(FOCUS_KEY);
    const fold = control.closest("details");
    if (fold) fold.open = true;
    control.focus({ preventScroll: true });
  }
}

/** @param {EventTarget | null} target @returns {target is HTMLInputElement} */
function isSwitch(target) {
  return target instanceof HTMLInputElement && ["checkbox", "radio"].includes(target.type);
}

customElements.define("page-filters", PageFilters);
