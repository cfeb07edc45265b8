/** Fills the screen at a station from the first key or click on; a kiosk browser fills it already. */

import { fill } from "../shared/full-screen.js";

for (const type of ["keydown", "click"]) window.addEventListener(type, fill);
