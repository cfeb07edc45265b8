/** A session's page: what changes is read again every few seconds, and at once after a control was used. */

import "./controls.js";
import "../shared/live-parts.js";
import { required } from "../shared/required.js";

/** @type {HTMLElement & { ask?: () => Promise<void> }} */
const parts = required(document, "live-parts", HTMLElement);
document.addEventListener("controls-used", () => void parts.ask?.().catch(() => undefined));
