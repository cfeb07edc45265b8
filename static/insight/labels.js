/** Numbers, axis labels and link hints of figures as text. */

/** @import { Column, Figure, Format, Group } from "./types" */

// Made once: to make one takes far longer than to write a number with it, and a figure writes thousands.
const fractions = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const fixed = [0, 1, 2, 3, 4, 5, 6].map((digits) => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));

/** What a mark's title says of people under review. @param {{under_review?: number | boolean | null}} row */
export function doubt({ under_review: doubted }) {
  return doubted ? `, ${doubted === true ? "" : `${number(doubted)} `}under review` : "";
}

/** A number for reading: thousands separated, a dash for none; with so many `digits` of a fraction, or up to three in all. @param {number | null | undefined} value @param {number} [digits] */
export function number(value, digits) {
  if (value === null || value === undefined) return "–";
  if (digits !== undefined) return value && Math.abs(value) < 10 ** -digits / 2 ? `< ${10 ** -digits}` : fixed[digits].format(value);
  if (Number.isInteger(value) || Math.abs(value) >= 100) return fixed[0].format(value);
  return fractions.format(Number(value.toPrecision(3)));
}

/**
 * How many digits of a fraction all values of a column have (`digits_of` in `insight/figures`).
 * @param {Pick<Figure, "columns"> & {rows: object[]}} figure @param {string} name
 */
export function digitsOf(figure, name) {
  const all = figure.rows.map((row) => /** @type {Record<string, unknown>} */ (row)[name]);
  const values = all.filter((value) => typeof value === "number");
  const most = Math.max(0, ...values.map(Math.abs));
  if (columnOf(figure, name).unit.startsWith("%") || most >= 100 || values.every(Number.isInteger)) return 0;
  return most >= 10 ? 1 : most >= 1 ? 2 : 3;
}

/**
 * The number of a tick, with as many digits of a fraction as any tick of its axis: Plot calls this as `map` does, with all of them.
 * Ticks over powers of ten (0.01, 1 and 100) have their own; of a logarithmic axis, Plot gives them one by one.
 * @param {number} value @param {number} [_index] @param {number[]} [all]
 */
export function tickNumber(value, _index, all = [value]) {
  const sizes = all.filter(Boolean).map(Math.abs);
  const alike = Math.max(...sizes) < 100 * Math.min(...sizes) ? all : [value];
  const digits = alike.map((tick) => fractions.format(Number(tick.toPrecision(12))).split(".")[1]?.length ?? 0);
  return number(value, Math.max(...digits));
}

/** The number of a tick that counts people; empty between two whole numbers. */
export function wholeNumber(/** @type {number} */ value) {
  return Number.isInteger(value) ? number(value) : "";
}

export function percent(/** @type {number} */ share) {
  return `${number(100 * share, 0)} %`;
}

/**
 * Returns how a column's values are written: "41 actions", "1 action", "solved 40 %".
 * @param {Pick<Figure, "columns"> & {rows: object[]}} figure
 * @param {string} name  of the column
 * @param {string} [noun]  what the options call it
 * @returns {Format}
 */
export function formatter(figure, name, noun) {
  const { label, unit } = columnOf(figure, name);
  const digits = digitsOf(figure, name);
  if (unit === "%") return (value) => `${lowerFirst(label)} ${number(value, digits)} %`;
  const counted = lowerFirst(unit || noun || label);
  return (value) => `${number(value, digits)} ${value === 1 ? singular(counted) : counted}`.trim();
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
