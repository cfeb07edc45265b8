/** The page of an idle station: shows whether it is connected, goes to the session that it is given, and clears what a session left. */

import { required } from "../shared/required.js";
import { gettext } from "../shared/catalogue.js";
import { IdleConnection } from "./idle-connection.js";

const TEXTS = Object.freeze({ connecting: gettext("Connecting…"), ready: gettext("Ready"), lost: gettext("No connection") });

const readiness = required(document, ".readiness", HTMLElement);

const connection = new IdleConnection(`${window.location.origin.replace(/^http/, "ws")}/ws/station/`);
connection.addEventListener("state", () => {
  readiness.dataset.state = connection.state;
  readiness.textContent = TEXTS[connection.state];
});
connection.addEventListener("changed", () => window.location.replace("/"), { once: true });
connection.open();

window.localStorage.clear();
window.sessionStorage.clear();
