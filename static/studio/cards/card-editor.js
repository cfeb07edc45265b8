/**
 * The editor of a card. A page with something unsaved asks before it is left. A save names the revision it is based on; where
 * another tab saved meanwhile, the author decides, and both texts stay.
 */

import { required } from "../../shared/required.js";
import { Refused, ask, refusalNotice } from "../../shared/requests.js";
import { CardForm } from "./card-form.js";

const form = required(document, "#card", HTMLFormElement);
const notices = required(document, "#card-notices", HTMLElement);
const status = required(document, "#card-status", HTMLElement);
const button = required(form, "#card-save", HTMLButtonElement);
const { save: address = "" } = form.dataset;
const card = new CardForm(form, changed);

let basedOn = Number(form.dataset.revision);
/** Whether something is written that is in no revision, and how often something was. */
let unsaved = false;
let changes = 0;

function changed() {
  unsaved = true;
  changes += 1;
  say(`Not saved yet. The latest revision is ${basedOn}.`);
}

async function save() {
  const number = changes;
  button.setAttribute("aria-busy", "true");
  try {
    if (!card.isValid()) return;
    const answer = await ask("POST", address, { based_on: basedOn, content: card.read() });
    saved(answer, number);
  } catch (error) {
    refused(error);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** @param {{revision: number, missing: string[]}} answer @param {number} number  of changes when it was sent */
function saved({ revision, missing }, number) {
  basedOn = revision;
  notices.replaceChildren();
  if (number === changes) {
    unsaved = false;
    say(`Saved as revision ${revision}.`);
  }
  showMissing(missing);
}

function refused(/** @type {unknown} */ error) {
  if (!(error instanceof Refused)) throw error;
  if (error.code === "card_changed") return showConflict(error.answer.revision);
  notices.replaceChildren(refusalNotice(error));
  say("Not saved.");
}

/** Says that another revision was saved meanwhile, and lets the author choose. */
function showConflict(/** @type {number} */ latest) {
  const both = "Nothing is lost: an earlier revision can be read on the card's page.";
  const text = `Revision ${latest} was saved after you began from revision ${basedOn}, perhaps in another tab. ${both}`;
  notices.replaceChildren(
    choiceNotice(text, [
      [`Save mine after revision ${latest}`, () => {
        basedOn = latest;
        notices.replaceChildren();
        void save();
      }],
      [`Discard mine and load revision ${latest}`, discard],
    ]),
  );
  say("Not saved.");
}

function discard() {
  unsaved = false;
  location.reload();
}

function showMissing(/** @type {string[]} */ missing) {
  const list = required(document, "#card-missing", HTMLElement);
  list.hidden = missing.length === 0;
  required(list, "ul", HTMLElement).replaceChildren(...missing.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

/** @param {string} text @param {[string, () => void][]} choices */
function choiceNotice(text, choices) {
  const made = Object.assign(document.createElement("div"), { className: "notice" });
  made.setAttribute("role", "alert");
  const buttons = choices.map(([label, choose]) => {
    const choice = Object.assign(document.createElement("button"), { type: "button", className: "small-button secondary", textContent: label });
    choice.addEventListener("click", choose);
    return choice;
  });
  const row = Object.assign(document.createElement("p"), { className: "choices" });
  row.append(...buttons);
  made.append(Object.assign(document.createElement("p"), { textContent: text }), row);
  return made;
}

function say(/** @type {string} */ text) {
  if (status.textContent !== text) status.textContent = text;
}

const content = JSON.parse(required(document, "#card-content", HTMLScriptElement).textContent ?? "");
card.show(content);
showMissing(content.missing);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void save();
});
addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
