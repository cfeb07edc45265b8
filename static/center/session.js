/** A session's page: what changes is read again every few seconds, and at once after a control was used. Pay comes once, when the session has ended. */

import "./controls.js";
import "../shared/live-parts.js";
import { loadPage } from "../shared/requests.js";
import { required } from "../shared/required.js";

/** @type {HTMLElement & { ask?: () => Promise<void> }} */
const parts = required(document, "live-parts", HTMLElement);
document.addEventListener("controls-used", () => void parts.ask?.().catch(() => undefined));

const facts = required(document, "#session-facts", HTMLElement);
if (!ended()) {
  const watching = new MutationObserver(() => {
    if (!ended()) return;
    watching.disconnect();
    void showPay().catch(() => location.reload());
  });
  watching.observe(facts, { childList: true, subtree: true });
}

function ended() {
  return facts.querySelector("[data-ended]") !== null;
}

/** Only this part is taken from the page, so that nobody loses what they are writing. It is not asked for again: it has a form. */
async function showPay() {
  const page = await loadPage(location.href);
  required(document, "#session-pay", HTMLElement).replaceChildren(...required(page, "#session-pay", HTMLElement).childNodes);
}
