/**
 * The editor of a card. What is written is kept in this browser until the server has saved it as a revision. A save names the
 * revision it is based on; where another tab saved meanwhile, the author decides, and both texts stay.
 */

import { required } from "../../shared/required.js";
import { Refused, ask, refusalNotice } from "../../shared/requests.js";
import { CardForm } from "./card-form.js";
import { Drafts } from "./drafts.js";

/** @import { Content } from "./card-form.js" */
/** @import { Draft } from "./drafts.js" */

const QUIET_MS = 300;

const form = required(document, "#card", HTMLFormElement);
const notices = required(document, "#card-notices", HTMLElement);
const status = required(document, "#card-status", HTMLElement);
const button = required(form, "#card-save", HTMLButtonElement);
const { code = "", account = "", save: address = "" } = form.dataset;
const drafts = new Drafts(account, code);
const card = new CardForm(form, changed);

let basedOn = Number(form.dataset.revision);
/** Whether something is written that is in no revision, and how often something was. */
let unsaved = false;
let changes = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** Whether the last save failed because no server answered. */
let unreachable = false;

function changed() {
  unsaved = true;
  changes += 1;
  say(`Not saved yet: kept in this browser. The latest revision is ${basedOn}.`);
  clearTimeout(waiting);
  waiting = setTimeout(keep, QUIET_MS);
}

/** Keeps what is written in this browser. */
function keep() {
  clearTimeout(waiting);
  if (!unsaved || drafts.keep({ basedOn, content: card.read(), at: Date.now() })) return;
  say("Not saved yet, and this browser keeps no copy: save it.");
}

async function save() {
  keep();
  const number = changes;
  button.setAttribute("aria-busy", "true");
  unreachable = false;
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
    drafts.forget();
    say(`Saved as revision ${revision}.`);
  } else keep();
  showMissing(missing);
}

function refused(/** @type {unknown} */ error) {
  if (!(error instanceof Refused)) throw error;
  unreachable = error.code === "server_unreachable";
  if (error.code === "card_changed") return showConflict(error.answer.revision);
  const notice = refusalNotice(error);
  notice.append(" What you wrote is kept in this browser.");
  notices.replaceChildren(notice);
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
  clearTimeout(waiting);
  drafts.forget();
  location.reload();
}

/** Shows this tab's draft, or offers that of another. */
function restore() {
  const own = drafts.find();
  if (own) {
    take(own);
    notices.replaceChildren(choiceNotice(`What you wrote until ${timeOf(own)} is restored; it is not saved yet.`, [["Discard it", discard]]));
    return;
  }
  const other = drafts.findOther();
  if (!other) return;
  const text = `This browser has unsaved changes from another tab, of ${timeOf(other.draft)}.`;
  notices.replaceChildren(
    choiceNotice(text, [
      ["Use them here", () => {
        drafts.forget(other.name);
        take(other.draft);
        notices.replaceChildren();
      }],
      ["Delete them", () => {
        drafts.forget(other.name);
        notices.replaceChildren();
      }],
    ]),
  );
}

function take(/** @type {Draft} */ draft) {
  card.show(/** @type {Content} */ (draft.content));
  basedOn = draft.basedOn;
  changed();
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

function timeOf(/** @type {Draft} */ { at }) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function say(/** @type {string} */ text) {
  if (status.textContent !== text) status.textContent = text;
}

const content = JSON.parse(required(document, "#card-content", HTMLScriptElement).textContent ?? "");
card.show(content);
showMissing(content.missing);
restore();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void save();
});
addEventListener("pagehide", keep);
addEventListener("online", () => {
  if (unreachable) void save();
});
