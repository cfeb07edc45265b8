/** Every participant page: one that the browser kept aside and brings back is old, so it is asked for again. */

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
