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

/** "1 person", "2 people"; "1 action", "2 actions". */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A value with what it measures, as an axis' label says it: "41 actions", "1 action", "12 minutes played", "40 %". */
export function measured(value, label) {
  if (!label) return number(value);
  if (label === "%") return `${number(value)} %`;
  const words = label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `${number(value)} ${value === 1 ? words.replace(/^(\w+?)s\b/, "$1") : words}`;
}

/** What an axis measures: what the options say, else the column's label with its unit. */
export function axisLabel(figure, name, said) {
  if (said) return said;
  const column = figure.columns.find((found) => found.name === name);
  if (!column) return "";
  return column.unit && column.unit !== column.label ? `${column.label} (${column.unit})` : column.label;
}

/** A group of a figure whose rows are levels: "Level 3"; a name stands for itself. */
export function groupWords(group, noun = "Level") {
  return typeof group === "number" ? `${noun} ${group}` : String(group ?? "–");
}

/** Where a mark leads, from its address; nothing where it leads nowhere. */
export function towards(href) {
  if (!href) return "";
  if (/\/attempts\/\d+/.test(href)) return ": to the replay";
  if (/\/attempts\/?(\?|#|$)/.test(href)) return ": to the attempts";
  return ": to its page";
}
