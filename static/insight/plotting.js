/** What every kind of figure draws with: Plot under our content security policy, linked marks, text that fits. */

import { contextOf, element } from "../shared/drawing.js";
import { Plot } from "../vendor/plot/plot.js";

/** @import { Drawing } from "./types" */

const FONT = 12;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Plot's drawing without the `<style>` that it contains, which the page's policy would refuse. Its rules are in figures.css.
 * @param {import("@observablehq/plot").PlotOptions} options
 * @param {(SVGElement | null)[]} behind  what lies behind the marks: patterns, a legend, an image
 * @returns {Drawing}
 */
export function plot(options, behind = []) {
  const svg = /** @type {Drawing} */ (/** @type {unknown} */ (Plot.plot({ className: "plot", ...options })));
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-size", String(FONT));
  svg.setAttribute("font-family", FAMILY);
  for (const group of svg.querySelectorAll("[aria-label]")) removeLabel(group);
  svg.prepend(...behind.filter((node) => node !== null));
  return svg;
}

/** Plot labels its groups by kinds of marks. Each mark has a label of its own, so axes are hidden and groups unnamed. */
function removeLabel(/** @type {Element} */ group) {
  if (/axis|grid/.test(group.getAttribute("aria-label") ?? "")) group.setAttribute("aria-hidden", "true");
  group.removeAttribute("aria-label");
}

/** A mark with its title, in a link if it has an address. @param {SVGElement} mark @param {string} title @param {string | null} [href] */
export function linkedMark(mark, title, href) {
  mark.append(element("title", {}, title));
  return href ? element("a", { href }, mark) : mark;
}

/**
 * Marks for the arrow keys which links stand in one row (arrow-keys.js). The links are drawn in the order of `rows`.
 * @template {{href?: string | null}} Row
 * @param {SVGElement} svg
 * @param {Row[]} rows
 * @param {(row: Row) => unknown} rowOf
 */
export function setRows(svg, rows, rowOf, { stacked = false } = {}) {
  const keys = rows.filter((row) => row.href).map(rowOf);
  svg.querySelectorAll("a").forEach((link, index) => link.setAttribute("data-row", String(keys[index])));
  if (stacked) svg.setAttribute("data-stacked", "");
}

const measuring = contextOf(document.createElement("canvas"));
measuring.font = `${FONT}px ${FAMILY}`;

/** Width of a text in a figure, in pixels. */
export function textWidth(/** @type {string} */ text) {
  return measuring.measureText(text).width;
}

/** The text, cut with an ellipsis if it is wider than `width` pixels. @param {string} text @param {number} width */
export function truncate(text, width) {
  if (textWidth(text) <= width) return text;
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (textWidth(cut(text, middle)) <= width) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? cut(text, least) : "";
}

/** @param {string} text @param {number} length */
function cut(text, length) {
  return `${text.slice(0, length).trimEnd()}…`;
}

/** The text in at most `most` lines no wider than `width` pixels; the last is cut. @param {string} text @param {number} width @param {number} most */
export function wrap(text, width, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (textWidth(longer) <= width || lines.length === most || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => truncate(line, width));
}

/** Width of labels on the left in pixels, at most `share` of the whole. @param {string[]} labels @param {number} width */
export function labelWidth(labels, width, share = 0.32) {
  const widest = Math.max(0, ...labels.map(textWidth));
  return Math.ceil(Math.min(widest, width * share)) + 12;
}

/**
 * The distinct values of a column, in the order in which they first appear.
 * @template Row
 * @template {keyof Row} Name
 * @param {Row[]} rows
 * @param {Name} name
 */
export function distinct(rows, name) {
  return [...new Set(rows.map((row) => row[name]))];
}
