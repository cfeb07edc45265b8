/** Fills the screen at a station from the first key or click on; a kiosk browser fills it already. */

const FULL = window.matchMedia("(display-mode: fullscreen)");

function fill() {
  if (FULL.matches || document.fullscreenElement || !document.fullscreenEnabled) return;
  document.documentElement.requestFullscreen({ navigationUI: "hide" }).catch(() => {}); // the browser does not allow it
}

for (const type of ["keydown", "click"]) window.addEventListener(type, fill);
