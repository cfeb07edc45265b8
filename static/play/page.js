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
