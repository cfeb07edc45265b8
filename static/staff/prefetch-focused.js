/**
 * Marks a link that keeps the focus for a moment, so that the browser asks for its page ahead as it does for a link under the
 * pointer. The rules that say which pages it may ask for come with each page (`people/prefetching.py`).
 */

const MILLISECONDS = 200;

/** @type {number | undefined} */
let timer;

document.addEventListener("focusin", ({ target }) => {
  clearTimeout(timer);
  if (!(target instanceof HTMLAnchorElement) || !target.matches(":focus-visible")) return;
  timer = setTimeout(() => target.setAttribute("data-ahead", ""), MILLISECONDS);
});

document.addEventListener("focusout", ({ target }) => {
  clearTimeout(timer);
  if (target instanceof HTMLAnchorElement) target.removeAttribute("data-ahead");
});
