/** Says what the browser lacks before a code is asked for, and shows the code in two groups of three, as it is written on paper, once it is complete. */

import "../play/page.js";
import "./code-pad.js";
import { required } from "../shared/required.js";

/** What the games need and some browsers lack, or block. */
const LACKS = {
  cookies: !navigator.cookieEnabled,
  sockets: !("WebSocket" in window),
  decompression: !("DecompressionStream" in window),
};

window.sessionStorage.clear(); // of an earlier session

const field = required(document, "#code", HTMLInputElement);

field.addEventListener("input", () => {
  const code = field.value.replace(/[\s-]/g, "").toUpperCase();
  if (/^[0-9A-Z]{6}$/.test(code)) field.value = `${code.slice(0, 3)}-${code.slice(3)}`;
});

if (Object.values(LACKS).includes(true)) {
  required(document, "form.welcome", HTMLFormElement).hidden = true;
  required(document, ".lacks", HTMLElement).hidden = false;
  for (const [name, lacks] of Object.entries(LACKS)) required(document, `[data-lacks=${name}]`, HTMLElement).hidden = !lacks;
}

if (field.getAttribute("aria-invalid") === "true") field.select();
