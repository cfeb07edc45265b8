/** Numbers, axes and links of figures in words. */

/** A number as people read it: thousands apart, three digits of a fraction, a dash for none. */
export function number(/** @type {number | null | undefined} */ value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}

/** The number of a tick that counts people: none between two of them. */
export function whole(/** @type {number} */ value) {
  return Number.isInteger(value) ? number(value) : "";
}

export function percent(/** @type {number} */ share) {
  return `${number(Math.round(share * 1000) / 10)} %`;
}

/**
 * How a column's values are told: "41 actions", "1 action", "solved 40 %".
 * @param {object} figure
 * @param {string} name  of the column
 * @param {string} [said]  what the options call it
 * @returns {(value: number) => string}
 */
export function teller(figure, name, said) {
  const { label = "", unit = "" } = columnOf(figure, name);
  if (unit === "%") return (value) => `${lower(label)} ${number(value)} %`;
  const what = lower(unit || said || label);
  return (value) => `${number(value)} ${value === 1 ? singular(what) : what}`.trim();
}

/** What an axis measures: what the options say, else the column's label with its unit. */
export function axisLabel(figure, name, said) {
  const { label = "", unit = "" } = columnOf(figure, name);
  return said || (unit && unit.toLowerCase() !== label.toLowerCase() ? `${label} (${unit})` : label);
}

function columnOf(figure, name) {
  return figure.columns.find((column) => column.name === name) ?? {};
}

/** A label within a sentence; an abbreviation stays as it is. */
function lower(label) {
  return label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Of "people", "actions so far", "level completions": the first plural in it is one. */
function singular(words) {
  return words.startsWith("people") ? words.replace("people", "person") : words.replace(/([a-z]{2,}[^s\W])s\b/, "$1");
}

/** A group of a figure whose rows are levels: "Level 3"; a name stands for itself. */
export function groupWords(group, noun = "") {
  return typeof group === "number" ? `${noun || "Level"} ${group}` : String(group ?? "–");
}

/** Where a mark leads, from its address; nothing where it leads nowhere. */
export function towards(href) {
  if (!href) return "";
  if (/\/attempts\/\d+/.test(href)) return ": to the replay";
  if (/\/attempts\/?(\?|#|$)/.test(href)) return ": to the attempts";
  return ": to its page";
}
