/**
 * Shows one question at a time. Without this script the whole form is one page, and works too. What is answered is stored in this
 * browser by session until the tab is closed, so that loading the page again or going back loses nothing.
 */

import "./page.js";
import { limitLetters, visible } from "../shared/letters.js";
import { required } from "../shared/required.js";
import { gettext } from "../shared/catalogue.js";
import "./pattern-switch.js";

const form = required(document, "form.survey", HTMLFormElement);
const questions = [...form.querySelectorAll("fieldset")];
const back = required(document, ".steps .back", HTMLButtonElement);
const forward = required(document, ".steps .primary", HTMLButtonElement);
const step = required(document, ".steps .step", HTMLElement);
/** Who says that colours are hard to tell apart is offered patterns. */
const offer = form.querySelector(".offer");
const storageKey = form.dataset.session && `survey ${form.dataset.session}`;
let current = 0;
/** Whether the server has refused an answer: the survey goes on at the first of these. */
const refused = questions.findIndex((question) => "refused" in question.dataset);

limitLetters(form);
for (const button of [back, forward]) {
  button.addEventListener("click", (event) => {
    if (event.detail < 2) return; // a double click is one step: nobody has seen the question after it
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}
back.addEventListener("click", () => go(current - 1));
form.addEventListener("input", () => {
  describe();
  keep();
});
form.addEventListener("submit", (event) => {
  if (current === questions.length - 1) return;
  event.preventDefault();
  go(current + 1);
  keep();
});

form.classList.add("stepwise");
step.hidden = false;
go(refused >= 0 ? refused : restored(), refused >= 0);

/** @param {number} index @param {boolean} [focus] */
function go(index, focus = true) {
  current = index;
  questions.forEach((question, number) => {
    question.hidden = number !== current;
  });
  back.hidden = false;
  back.disabled = current === 0;
  step.textContent = gettext("{number} of {count}", { number: current + 1, count: questions.length });
  describe();
  if (focus) questions[current].querySelector("legend")?.focus();
}

function describe() {
  const question = questions[current];
  const chosen = question.querySelector("input:checked");
  const written = question.querySelector("input:not([type=radio]), textarea");
  const isWritten = (written instanceof HTMLInputElement || written instanceof HTMLTextAreaElement) && visible(written.value);
  forward.textContent = chosen || isWritten ? gettext("Next") : gettext("Skip");
  if (offer instanceof HTMLElement) offer.hidden = !["some", "unsure"].includes(String(new FormData(form).get("colour_vision")));
}

function keep() {
  if (!storageKey) return;
  const answers = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  window.sessionStorage.setItem(storageKey, JSON.stringify({ current, answers }));
}

/** Fills in what was stored; returns the question to go on with. @returns {number} */
function restored() {
  const stored = storageKey && window.sessionStorage.getItem(storageKey);
  if (!stored) return 0;
  const kept = JSON.parse(stored);
  for (const [name, value] of kept.answers) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList || field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value;
  }
  return Math.min(kept.current, questions.length - 1);
}
