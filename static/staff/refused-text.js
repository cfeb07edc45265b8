/**
 * What was typed into and chosen in a form that the server refuses. The next page, which says why, has it in the form again, and
 * the refusal stands beside it.
 */

const KEY = "refused-text";
const TYPED = "textarea, select, input:not([type=hidden], [type=password], [type=file], [type=checkbox], [type=radio])";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  const typed = fieldsOf(form).map((field) => field.value);
  if (typed.some(Boolean)) sessionStorage.setItem(KEY, JSON.stringify([kindOf(form), formsOf(kindOf(form)).indexOf(form), typed]));
});

/** Where a form is sent, and its fields. @param {HTMLFormElement} form */
function kindOf(form) {
  return [form.action, ...fieldsOf(form).map((field) => `${field.type} ${field.name}`)].join("\n");
}

/** @param {string} kind */
function formsOf(kind) {
  return [...document.forms].filter((form) => kindOf(form) === kind);
}

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  return [.../** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */ (form.querySelectorAll(TYPED))];
}

function bringBack() {
  /** @type {[string, number, string[]]} */
  const [kind, place, typed] = JSON.parse(sessionStorage.getItem(KEY) ?? '["", 0, []]');
  sessionStorage.removeItem(KEY);
  const refusal = document.querySelector("main > .notice.bad[role=alert]");
  const form = formsOf(kind)[place];
  if (!refusal || !form) return;
  for (let fold = form.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  for (const [index, field] of fieldsOf(form).entries()) field.value = typed[index] ?? ""; // no choice, where it is no longer offered
  form.before(refusal);
  const focus = () => requestAnimationFrame(() => fieldsOf(form).at(-1)?.focus());
  // A browser that goes to the place which an address names takes the focus away, at the latest when all is loaded.
  if (document.readyState === "complete") focus();
  else addEventListener("load", focus, { once: true });
}

bringBack();
