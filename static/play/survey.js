/** One question at a time. Without this script the whole form is one page and works as well. */

import "./page.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.survey"));
const questions = [...form.querySelectorAll("fieldset")];
const back = /** @type {HTMLButtonElement} */ (form.querySelector(".back"));
const forward = /** @type {HTMLButtonElement} */ (form.querySelector("button.primary"));
const step = /** @type {HTMLElement} */ (form.querySelector(".step"));
let current = 0;

back.addEventListener("click", () => go(current - 1));
form.addEventListener("change", describe);
form.addEventListener("submit", (event) => {
  if (current === questions.length - 1) return;
  event.preventDefault();
  go(current + 1);
});

form.classList.add("stepwise");
step.hidden = false;
go(0, false);

/** @param {number} index @param {boolean} [focus] */
function go(index, focus = true) {
  current = index;
  questions.forEach((question, place) => {
    question.hidden = place !== current;
  });
  back.hidden = false;
  back.disabled = current === 0;
  step.textContent = `${current + 1} of ${questions.length}`;
  describe();
  if (focus) questions[current].querySelector("legend")?.focus();
}

function describe() {
  forward.textContent = questions[current].querySelector("input:checked") ? "Next" : "Skip";
}
