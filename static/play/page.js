/**
 * For every participant page: loads it again if the browser shows a stored copy (back-forward cache), and leaves it when the session
 * is at another stage.
 */

import "./call-staff.js";
import { watchStage } from "./stage-watch.js";

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
