/** A session under review: another of its replays is shown in the place of the one before, so that what was written of the verdict stays. */

import { loadPage } from "../shared/requests.js";
import { required } from "../shared/required.js";

document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='?attempt=']") : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const shown = required(document, "#watched", HTMLElement);
  history.replaceState(null, "", link.href);
  if (link.search === `?attempt=${shown.dataset.attempt}`) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else await show(link, shown);
  required(document, "#watched", HTMLElement).scrollIntoView();
});

document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape" && target instanceof HTMLElement && target.closest("#decision")) target.blur();
});

async function show(/** @type {HTMLAnchorElement} */ link, /** @type {HTMLElement} */ shown) {
  const page = await loadPage(link.href).catch(() => null);
  if (!page) return location.reload();
  shown.replaceWith(required(page, "#watched", HTMLElement));
  for (const one of document.querySelectorAll("tbody a[href^='?attempt=']")) {
    if (one.getAttribute("href") === link.search) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
  return undefined;
}
