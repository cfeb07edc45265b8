/** Whether the page fills the screen, and how it comes to do so: at a press only, as browsers want it. */

const FULL = window.matchMedia("(display-mode: fullscreen)");

/** Whether it can be made to fill the screen, and does not yet; a kiosk browser fills it already. */
export function canFill() {
  return document.fullscreenEnabled && !document.fullscreenElement && !FULL.matches;
}

export function fill() {
  if (canFill()) document.documentElement.requestFullscreen({ navigationUI: "hide" }).catch(() => {}); // the browser does not allow it
}

/** Offers it with a button. @param {HTMLButtonElement} button @param {() => void} changed  the page has another size */
export function offerFull(button, changed) {
  const update = () => { button.hidden = !canFill(); };
  button.addEventListener("click", fill);
  document.addEventListener("fullscreenchange", changed);
  FULL.addEventListener("change", update);
  document.addEventListener("fullscreenchange", update);
  update();
}
