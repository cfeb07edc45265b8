/** Shows the code in two groups of three, as it is written on paper, once it is complete. */

import "../play/page.js";
import "./code-pad.js";
import { required } from "../shared/required.js";

const field = required(document, "#code", HTMLInputElement);

field.addEventListener("input", () => {
  const code = field.value.replace(/[\s-]/g, "").toUpperCase();
  if (/^[0-9A-Z]{6}$/.test(code)) field.value = `${code.slice(0, 3)}-${code.slice(3)}`;
});

if (field.getAttribute("aria-invalid") === "true") field.select();
