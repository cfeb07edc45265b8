/** Loads a journal, and explains why there is none to show. */

/** @import { JournalDocument } from "./types" */

/** A journal that the server refuses to send, with a message for people. */
export class JournalRefused extends Error {
  constructor(/** @type {string} */ code, /** @type {string} */ message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {string} address  of a `journal.json`
 * @returns {Promise<JournalDocument>}
 * @throws {JournalRefused | TypeError} TypeError if the server cannot be reached or sends no journal
 */
export async function loadJournal(address) {
  const response = await fetch(address);
  const answer = await response.json().catch(() => null);
  if (answer?.code) throw new JournalRefused(answer.code, answer.message);
  if (!response.ok || !answer) throw new TypeError(`the server answered ${response.status}`);
  return answer;
}

/** Why a journal is not shown: its bytes are not frames, or it was not loaded. */
export function journalNotice(/** @type {unknown} */ error) {
  if (error instanceof JournalRefused) return notice(error.message, error.code);
  if (error instanceof RangeError) {
    return notice("This journal cannot be read. Tell the person who runs the server.", "journal_unreadable", error.message);
  }
  const details = error instanceof Error ? error.message : String(error);
  return notice("The journal could not be loaded. Load the page again.", "journal_unavailable", details);
}

/** A paragraph that replaces the player; with a code it reports a failure. */
export function notice(/** @type {string} */ text, code = "", details = "") {
  const paragraph = document.createElement("p");
  paragraph.className = code ? "notice bad" : "notice";
  paragraph.setAttribute("role", code ? "alert" : "status");
  paragraph.append(`${text} `);
  if (code) paragraph.append(Object.assign(document.createElement("code"), { textContent: code, title: details }));
  return paragraph;
}
