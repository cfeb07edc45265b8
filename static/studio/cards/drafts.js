/**
 * What somebody has written on a card and not saved, kept in this browser: one draft for each account, card and tab. A tab
 * finds its own after a reload; one of another tab, or of a browser that was closed, is offered.
 */

const PREFIX = "playtest-card";
const TAB = "playtest-tab";

/** @typedef {{basedOn: number, content: object, at: number}} Draft  at: milliseconds since 1970 */

export class Drafts {
  /** @param {string} account @param {string} card */
  constructor(account, card) {
    this.start = `${PREFIX}/${account}/${card}/`;
    this.own = this.start + thisTab();
  }

  /** @returns {boolean} whether the browser could keep it */
  keep(/** @type {Draft} */ draft) {
    try {
      localStorage.setItem(this.own, JSON.stringify(draft));
      return true;
    } catch {
      return false; // storage is full, or switched off
    }
  }

  /** The draft of this tab. */
  find() {
    return read(this.own);
  }

  /** The latest draft of other tabs, with its name. @returns {{name: string, draft: Draft} | null} */
  findOther() {
    const names = stored().filter((name) => name.startsWith(this.start) && name !== this.own);
    const found = names.flatMap((name) => {
      const draft = read(name);
      return draft ? [{ name, draft }] : [];
    });
    return found.toSorted((one, other) => other.draft.at - one.draft.at)[0] ?? null;
  }

  forget(name = this.own) {
    try {
      localStorage.removeItem(name);
    } catch {
      // Storage is switched off: there is nothing to forget.
    }
  }
}

/** A name for this tab that a reload keeps. */
function thisTab() {
  try {
    const known = sessionStorage.getItem(TAB) ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
    sessionStorage.setItem(TAB, known);
    return known;
  } catch {
    return "only";
  }
}

function stored() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** @param {string} name @returns {Draft | null} */
function read(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof draft?.basedOn === "number" && draft.content ? draft : null;
  } catch {
    return null;
  }
}
