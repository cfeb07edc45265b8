/** Loads a journal, and explains why there is none to show. */

import { Refused, ask, refusalNotice } from "../shared/requests.js";

/** @import { JournalDocument } from "./types" */

/** @param {string} address  of a `journal.json` @returns {Promise<JournalDocument>} @throws {Refused} */
export function loadJournal(address) {
  return ask("GET", address);
}

/** Why a journal is not shown: its bytes are not frames, or it was not loaded. */
export function journalNotice(/** @type {unknown} */ error) {
  if (error instanceof Refused) return refusalNotice(error);
  if (!(error instanceof RangeError)) throw error;
  return notice("This journal cannot be read. Tell the person who runs the server.", "journal_unreadable", error.message);
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
