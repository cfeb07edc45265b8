/** The words of a participant's page in its language: a JSON in the page has them by their English; without one it is English. */

const found = document.querySelector("script#words");
/** @type {Readonly<Record<string, string>>} */
const CATALOGUE = found ? JSON.parse(found.textContent ?? "") : {};

/**
 * The text in the language of the page; each {name} in it becomes the value of that name.
 * @param {string} text  a literal on one line, so that it is found (playtest/people/languages.py)
 * @param {Readonly<Record<string, string | number>>} [values]
 */
export function gettext(text, values = {}) {
  return (CATALOGUE[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
