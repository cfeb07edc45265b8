/** Shows one question at a time. Without this script the whole form is one page, and works too. */

import "./page.js";
import { required } from "../shared/required.js";

const form = required(document, "form.survey", HTMLFormElement);
const questions = [...form.querySelectorAll("fieldset")];
const back = required(form, ".back", HTMLButtonElement);
const forward = required(form, "button.primary", HTMLButtonElement);
const step = required(form, ".step", HTMLElement);
let current = 0;
/** Whether the server has refused an answer: the survey goes on at the first of these. */
const refused = questions.findIndex((question) => "refused" in question.dataset);

back.addEventListener("click", () => go(current - 1));
form.addEventListener("input", describe);
form.addEventListener("submit", (event) => {
  if (current === questions.length - 1) return;
  event.preventDefault();
  go(current + 1);
});

form.classList.add("stepwise");
step.hidden = false;
go(Math.max(refused, 0), refused >= 0);

/** @param {number} index @param {boolean} [focus] */
function go(index, focus = true) {
  current = index;
  questions.forEach((question, number) => {
    question.hidden = number !== current;
  });
  back.hidden = false;
  back.disabled = current === 0;
  step.textContent = `${current + 1} of ${questions.length}`;
  describe();
  if (focus) questions[current].querySelector("legend")?.focus();
}

function describe() {
  const question = questions[current];
  const chosen = question.querySelector("input:checked");
  const written = question.querySelector("input:not([type=radio]), textarea");
  const isWritten = (written instanceof HTMLInputElement || written instanceof HTMLTextAreaElement) && written.value.trim() !== "";
  forward.textContent = chosen || isWritten ? "Next" : "Skip";
}
