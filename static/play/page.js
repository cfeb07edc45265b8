/** For every participant page: loads it again if the browser shows a stored copy (back-forward cache). */

import "./call-staff.js";

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
