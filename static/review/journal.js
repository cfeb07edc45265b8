/** Loading a journal, and saying so when there is none to show. */

/**
 * @param {string} address  of a `journal.json`
 * @returns {Promise<any>}
 * @throws {TypeError} when it cannot be had; with a `code`, its message is for people
 */
export async function loadJournal(address) {
  const answer = await fetch(address);
  const said = await answer.json().catch(() => null);
  if (said?.code) throw Object.assign(new TypeError(said.message), { code: said.code });
  if (!answer.ok || !said) throw new TypeError(`the server answered ${answer.status}`);
  return said;
}

/** What went wrong with a journal: its bytes are no frames, or it did not come. */
export function journalNotice(/** @type {Error} */ error) {
  if (error instanceof RangeError) {
    return notice("This journal cannot be read; tell whoever runs the server.", "journal_unreadable", error.message);
  }
  if ("code" in error) return notice(error.message, String(error.code));
  return notice("The journal could not be loaded. Load the page again.", "journal_unavailable", error.message);
}

/** A sentence in the player's place; with a code it is about a failure. */
export function notice(/** @type {string} */ words, code = "", details = "") {
  const paragraph = document.createElement("p");
  paragraph.className = code ? "notice bad" : "notice";
  paragraph.setAttribute("role", code ? "alert" : "status");
  paragraph.append(`${words} `);
  if (code) paragraph.append(Object.assign(document.createElement("code"), { textContent: code, title: details }));
  return paragraph;
}
