// The page of a fresh code answers a POST. From here on its address is the session's, so a reload does not make another code.

history.replaceState(null, "", document.querySelector("[data-session-address]").dataset.sessionAddress);
