/**
 * The people of a slot. What is typed leaves those whose names have every part of it; Enter does the usual for the only one left:
 * it shows the code of who is to come, and opens the session of who has come. Nothing is asked of the server until then.
 */

import { required } from "../shared/required.js";

const findPerson = document.querySelector("#find-person");
if (findPerson instanceof HTMLInputElement) find(findPerson);

function find(/** @type {HTMLInputElement} */ field) {
  const told = required(document, "output[for=find-person]", HTMLOutputElement);
  const rows = [...document.querySelectorAll("tr[data-names]")].filter((row) => row instanceof HTMLTableRowElement);
  const names = new Map(rows.map((row) => [row, plain(row.dataset.names ?? "")]));
  field.hidden = false;
  field.focus({ preventScroll: true });

  const left = () => {
    const parts = plain(field.value).split(" ");
    return rows.filter((row) => parts.every((part) => names.get(row)?.includes(part)));
  };
  const show = () => {
    const found = new Set(left());
    for (const row of rows) row.hidden = !found.has(row);
    const one = found.size === 1 ? "1 person: Enter" : `${found.size} people`;
    told.textContent = !field.value.trim() ? "" : found.size ? one : "Nobody here: a walk-in?";
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.isComposing || !field.value.trim()) return;
    const [row, another] = left();
    const usual = row?.querySelector("td > div > form button, th a");
    if (!another && usual instanceof HTMLElement) usual.click();
  });
  show(); // a browser that comes back has the old text
}

/** In small letters without marks. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}
