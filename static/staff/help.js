/**
 * `?` and the link at the foot of a page show its keys and those terms of the glossary that stand on it. A page's keys are the
 * elements with `aria-keyshortcuts`, and what its parts can do. Without a script, the link leads to all terms.
 */

import { load } from "../shared/requests.js";
import { required } from "../shared/required.js";

/** @typedef {{term: string, meaning: string}} Term */

/** What is on the page, its keys and what they do. */
const PARTS = Object.freeze([
  ["insight-figure", "← ↑ → ↓", "from mark to mark within a figure"],
  ["state-graph", "← ↑ → ↓", "from state to state within the graph"],
  ["wall-tile", "← ↑ → ↓", "from station to station"],
  ["sortable-table", "Enter", "sort by the heading that has the focus"],
  ["dialog", "Esc", "close a dialog"],
]);
/** A page of these has more keys than others, and its own list of them. */
const WITH_OWN_HELP = "replay-player";
const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";

const footLink = document.querySelector(".page-help a");
if (footLink instanceof HTMLAnchorElement) offerHelp(footLink);

function offerHelp(/** @type {HTMLAnchorElement} */ link) {
  const dialog = document.createElement("dialog");
  dialog.className = "help-dialog";
  dialog.setAttribute("aria-labelledby", "help-dialog-heading");
  dialog.innerHTML = `<h2 id="help-dialog-heading">Keys of this page</h2><dl class="facts keys"></dl>
    <h2>Terms on this page</h2><p role="status">Loading the terms…</p><dl class="facts terms"></dl>
    <form method="dialog"><button>Close</button> <a class="all">All terms</a> <a class="handbook">Handbook</a></form>`;
  required(dialog, ".all", HTMLAnchorElement).href = link.href;
  required(dialog, ".handbook", HTMLAnchorElement).href = link.dataset.handbook ?? "";
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());

  function open() {
    document.body.append(dialog);
    describe(required(dialog, ".keys", HTMLDListElement), keysOf(document));
    dialog.showModal();
    showTerms(dialog, link.dataset.terms ?? "");
  }
  link.addEventListener("click", (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches(FIELDS)) return;
    if (document.querySelector(`dialog[open], ${WITH_OWN_HELP}`)) return;
    event.preventDefault();
    open();
  });
}

/** @param {Document} page @returns {[keys: string, does: string][]} */
function keysOf(page) {
  const declared = [...page.querySelectorAll("[aria-keyshortcuts]")].map(
    (element) => /** @type {[string, string]} */ ([element.getAttribute("aria-keyshortcuts") ?? "", nameOf(element)]),
  );
  const ofParts = PARTS.filter(([part]) => page.querySelector(`${part}:not(.help-dialog)`)).map(
    ([, keys, does]) => /** @type {[string, string]} */ ([keys, does]),
  );
  return [...declared, ...ofParts];
}

function nameOf(/** @type {Element} */ element) {
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
  return (element.getAttribute("aria-label") || label || element.getAttribute("title") || "").trim();
}

/** @param {HTMLDialogElement} dialog @param {string} source */
async function showTerms(dialog, source) {
  const status = required(dialog, "[role=status]", HTMLElement);
  const list = required(dialog, ".terms", HTMLDListElement);
  try {
    /** @type {{terms: Term[]}} */
    const { terms } = await (await load(source)).json();
    const found = termsIn(document.querySelector("main")?.textContent ?? "", terms);
    describe(list, found.map(({ term, meaning }) => [term, meaning]));
    status.textContent = found.length ? "" : "No term of the glossary stands on this page.";
  } catch {
    status.textContent = "The terms could not be loaded. Close this and try again.";
  }
  status.hidden = status.textContent === "";
}

/**
 * The terms that a text uses, in singular or plural.
 * @param {string} text @param {Term[]} terms
 */
function termsIn(text, terms) {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, " ")} `;
  return terms.filter(({ term }) => {
    const wanted = term.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, " ").trim();
    return ["", "s", "es"].some((ending) => words.includes(` ${wanted}${ending} `));
  });
}

/** @param {HTMLDListElement} list @param {[string, string][]} pairs */
function describe(list, pairs) {
  const isKeys = list.classList.contains("keys");
  list.replaceChildren(
    ...pairs.flatMap(([name, meaning]) => {
      const term = document.createElement("dt");
      if (isKeys) term.append(...name.split(" ").flatMap((key) => [Object.assign(document.createElement("kbd"), { textContent: key }), " "]));
      else term.textContent = name;
      return [term, Object.assign(document.createElement("dd"), { textContent: meaning })];
    }),
  );
}
