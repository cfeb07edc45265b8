// A form with data-once is sent once: the second half of a double click does nothing.

const SECOND_MS = 3000;
/** @type {WeakMap<HTMLFormElement, number>} */
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("once" in form.dataset)) return;
  if (event.timeStamp - (sentAt.get(form) ?? -SECOND_MS) < SECOND_MS) event.preventDefault();
  else sentAt.set(form, event.timeStamp);
});
