/** On pages without a socket: covers the page while staff have paused the session, says what they announce, and goes to the page of another stage. */

import { poll } from "../shared/polling.js";
import { load } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { PausedCover, TimeAnnouncement } from "./notices.js";

const EVERY_MS = 2000;
const PATHS = Object.freeze(["/session/consent/", "/session/survey/", "/session/tutorial/"]);
/** The newest announcement that was said. */
let said = 0;

async function check(/** @type {AbortSignal} */ signal) {
  const answer = await load("/session/page/", { signal });
  /** @type {{ page: string, paused: boolean, announced: { number: number, minutes: number } | null }} */
  const { page, paused, announced } = await answer.json();
  if (page !== window.location.pathname) {
    window.location.replace(page);
    return;
  }
  required(document, "paused-cover", PausedCover).shown = paused;
  if (announced && announced.number > said) {
    said = announced.number;
    required(document, "time-announcement", TimeAnnouncement).say(announced.minutes);
  }
}

/** Asks every two seconds. A form that is being sent is not interrupted; a call for staff and a step of the survey send none. */
export function watchStage() {
  if (!PATHS.includes(window.location.pathname)) return;
  const stop = poll(check, EVERY_MS);
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) stop();
  });
}
