/**
 * For every participant page: loads it again if the browser shows a stored copy (back-forward cache). Where there is no socket it covers
 * the page while staff have paused the session, says what they announce, and goes to the page of another stage.
 */

import { poll } from "../shared/polling.js";
import { load } from "../shared/requests.js";
import { required } from "../shared/required.js";
import "./call-staff.js";
import { PausedCover, TimeAnnouncement } from "./notices.js";

const EVERY_MS = 2000;
const PATHS = Object.freeze(["/session/consent/", "/session/survey/", "/session/tutorial/"]);
/** The newest announcement that was said. */
let said = 0;

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
watchStage();

/** Buttons that stay in sight get a sign that more follows above them. */
const foot = document.querySelector(".help");
const content = document.querySelector(".column");
if (foot instanceof HTMLElement && content) {
  const end = content.appendChild(document.createElement("i"));
  const margin = { rootMargin: `0px 0px -${foot.offsetHeight}px` };
  new IntersectionObserver(([seen]) => foot.classList.toggle("more", !seen.isIntersecting), margin).observe(end);
}

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
function watchStage() {
  if (!PATHS.includes(window.location.pathname)) return;
  const stop = poll(check, EVERY_MS);
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) stop();
  });
}
