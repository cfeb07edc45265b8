/** A button that copies the field beside it. Without the clipboard (plain HTTP), it selects the field's text. */

import { required } from "../shared/required.js";

const field = required(document, "[data-copy] input", HTMLInputElement);
const button = required(document, "[data-copy] button", HTMLButtonElement);
const result = required(document, "[data-copy-result]", HTMLElement);

button.addEventListener("click", async () => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    result.textContent = "Copied.";
  } catch {
    result.textContent = "The browser does not allow copying here. It is selected: press Ctrl+C.";
  }
});
button.disabled = false; // it does nothing before
