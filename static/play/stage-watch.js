/** On pages without a socket: goes to the page of the session's stage when staff or a time limit have changed it. */

import { poll } from "../shared/polling.js";

const EVERY_MS = 5000;
const PATHS = Object.freeze(["/sitting/consent/", "/sitting/survey/", "/sitting/tutorial/"]);

async function check(/** @type {AbortSignal} */ signal) {
  const answer = await fetch("/sitting/page/", { signal });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  /** @type {{ page: string }} */
  const { page } = await answer.json();
  if (page !== window.location.pathname) window.location.replace(page);
}

/** Asks every five seconds. A form that is being sent is not interrupted. */
export function watchStage() {
  if (!PATHS.includes(window.location.pathname)) return;
  const stop = poll(check, EVERY_MS);
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) stop(); // not the form of a call for staff
  });
}
