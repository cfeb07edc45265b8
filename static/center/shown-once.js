/** The page of a new code answers a POST. From here on its address is the session's, so a reload does not make another code. */

import { required } from "../shared/required.js";

const page = required(document, "[data-session-address]", HTMLElement);
history.replaceState(null, "", page.dataset.sessionAddress);
