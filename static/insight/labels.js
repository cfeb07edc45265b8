/** Numbers, axis labels and link hints of figures as text. */

/** @import { Column, Figure, Format, Group } from "./types" */

// Made once: to make one takes far longer than to write a number with it, and a figure writes thousands.
const integers = new Intl.NumberFormat("en");
const fractions = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** A number for reading: thousands separated, three digits of a fraction, a dash for none. */
export function number(/** @type {number | null | undefined} */ value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return integers.format(Math.round(value));
  return fractions.format(Number(value.toPrecision(3)));
}

/** The number of a tick that counts people; empty between two whole numbers. */
export function wholeNumber(/** @type {number} */ value) {
  return Number.isInteger(value) ? number(value) : "";
}

export function percent(/** @type {number} */ share) {
  return `${number(Math.round(share * 1000) / 10)} %`;
}

/**
 * Returns how a column's values are written: "41 actions", "1 action", "solved 40 %".
 * @param {Pick<Figure, "columns">} figure
 * @param {string} name  of the column
 * @param {string} [noun]  what the options call it
 * @returns {Format}
 */
export function formatter(figure, name, noun) {
  const { label, unit } = columnOf(figure, name);
  if (unit === "%") return (value) => `${lowerFirst(label)} ${number(value)} %`;
  const counted = lowerFirst(unit || noun || label);
  return (value) => `${number(value)} ${value === 1 ? singular(counted) : counted}`.trim();
}

/**
 * What an axis measures: the options' label, or the column's label with its unit.
 * @param {Pick<Figure, "columns">} figure
 * @param {string} name  of the column
 * @param {string} [noun]  what the options call it
 */
export function axisLabel(figure, name, noun) {
  const { label, unit } = columnOf(figure, name);
  return noun || (unit && unit.toLowerCase() !== label.toLowerCase() ? `${label} (${unit})` : label);
}

/** @param {Pick<Figure, "columns">} figure @param {string} name @returns {Column} */
function columnOf(figure, name) {
  return figure.columns.find((column) => column.name === name) ?? { name, label: "", unit: "" };
}

/** A label within a sentence; an abbreviation stays as it is. */
function lowerFirst(/** @type {string} */ label) {
  return label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** The singular of "people", "actions so far", "level completions": of the first plural in it. */
function singular(/** @type {string} */ noun) {
  return noun.startsWith("people") ? noun.replace("people", "person") : noun.replace(/([a-z]{2,}[^s\W])s\b/, "$1");
}

/** A group's label: "Level 3" for the number of a level, otherwise its name. */
export function groupLabel(/** @type {Group} */ group, noun = "") {
  return typeof group === "number" ? `${noun || "Level"} ${group}` : String(group ?? "–");
}

/** Where a mark's link leads, judged by its address; empty without a link. */
export function linkHint(/** @type {string | null | undefined} */ href) {
  if (!href) return "";
  if (/\/attempts\/\d+/.test(href)) return ": to the replay";
  if (/\/attempts\/?(\?|#|$)/.test(href)) return ": to the attempts";
  return ": to its page";
}
