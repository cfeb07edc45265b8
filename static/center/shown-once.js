/** The page of a new code answers a POST. From here on its address is the session's, so a reload does not make another code. */

const page = /** @type {HTMLElement} */ (document.querySelector("[data-session-address]"));
history.replaceState(null, "", page.dataset.sessionAddress);
