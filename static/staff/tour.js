/** The note of a guided tour has the focus when its page opens, stays while filters are applied, and goes with Escape. */

import { required } from "../shared/required.js";

const note = required(document, ".tour-note", HTMLElement);
const leave = required(note, ".tour-leave", HTMLAnchorElement);

// Whoever has just applied a filter goes on there.
if (!document.activeElement?.closest("page-filters")) note.focus({ preventScroll: true });
const begun = document.activeElement;
// A browser that goes to the part of the page that is named in the address takes the focus away once more.
window.addEventListener("load", () => requestAnimationFrame(() => {
  if (document.activeElement === document.body && begun instanceof HTMLElement) begun.focus({ preventScroll: true });
}));

for (const form of document.forms) {
  const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
  if (form.method === "get" && pathname === location.pathname) keepStep(form);
}

/** A form that shows the same page again, with other filters, keeps the note. @param {HTMLFormElement} form */
function keepStep(form) {
  const asked = new URLSearchParams(location.search);
  for (const name of ["tour", "step"]) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value: asked.get(name) ?? "" }));
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  // Whoever works in a part of the page closes something there.
  if (event.target === document.body || (event.target instanceof Node && note.contains(event.target))) leave.click();
});
