/** The note of a guided tour has the focus when its page opens, and Escape leaves the tour. */

import { required } from "../shared/required.js";

const note = required(document, ".tour-note", HTMLElement);
const leave = required(note, ".tour-leave", HTMLAnchorElement);

function take() {
  note.focus({ preventScroll: true });
}
take();
// A browser that goes to the part of the page that is named in the address takes the focus away once more.
window.addEventListener("load", () => requestAnimationFrame(() => {
  if (document.activeElement === document.body) take();
}));

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  // Whoever works in a part of the page closes something there.
  if (event.target === document.body || (event.target instanceof Node && note.contains(event.target))) leave.click();
});
