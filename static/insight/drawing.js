/** What every kind of figure draws with: Plot under our policy, text that fits, numbers in words. */

import { Plot } from "../vendor/plot/plot.js";

export const FONT = 12;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Plot's drawing without the `<style>` it writes into it, which the page's policy would refuse: its rules are in figures.css.
 * @param {object} options  Plot.plot's
 * @returns {SVGSVGElement}
 */
export function plotted(options) {
  const svg = Plot.plot({ className: "plot", ...options });
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-size", String(FONT));
  svg.setAttribute("font-family", FAMILY);
  return svg;
}

/** An SVG element with attributes and children; those that are null are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) if (value != null) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child != null));
  return made;
}

const measuring = document.createElement("canvas").getContext("2d");
measuring.font = `${FONT}px ${FAMILY}`;

/** Width of a text in a figure, in pixels. */
export function widthOf(text) {
  return measuring.measureText(text).width;
}

/** The text, cut short with an ellipsis where it is wider than `width` pixels. */
export function fitted(text, width) {
  const whole = String(text);
  if (widthOf(whole) <= width) return whole;
  let kept = whole.length - 1;
  while (kept > 0 && widthOf(`${whole.slice(0, kept).trimEnd()}…`) > width) kept -= 1;
  return kept > 0 ? `${whole.slice(0, kept).trimEnd()}…` : "";
}

/** How much room labels on the left take, at most `share` of the whole width. */
export function roomFor(labels, width, share = 0.35) {
  const widest = Math.max(0, ...labels.map((label) => widthOf(String(label))));
  return Math.ceil(Math.min(widest, width * share)) + 12;
}

/** A number as people read it: thousands apart, three digits of a fraction. */
export function number(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}

export function percent(/** @type {number} */ share) {
  return `${number(Math.round(share * 1000) / 10)} %`;
}

/** "1 person", "2 people"; "1 action", "2 actions". */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Label of an axis: what the options say, else the column's label with its unit. */
export function axisLabel(figure, name, said) {
  if (said) return said;
  const column = figure.columns.find((found) => found.name === name);
  if (!column) return null;
  return column.unit && column.unit !== column.label ? `${column.label} (${column.unit})` : column.label;
}

/** The rows' distinct values of a column, in the order in which they first appear. */
export function distinct(rows, name) {
  return [...new Set(rows.map((row) => row[name]))];
}

/** Where a mark leads, in words, from its address. */
export function towards(href) {
  if (!href) return "";
  if (/\/attempts\/\d+/.test(href)) return ": to the replay";
  if (/\/attempts\/?(\?|#|$)/.test(href)) return ": to the attempts";
  return ": to its page";
}
