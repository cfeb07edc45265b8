/** What every kind of figure draws with: Plot under our policy, SVG elements, text that fits. */

import { Plot } from "../vendor/plot/plot.js";

const FONT = 12;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Plot's drawing, without the `<style>` it writes into it: the page's policy would refuse it. Its rules are in figures.css.
 * @param {object} options  Plot.plot's
 * @param {(SVGElement | null)[]} behind  what lies behind the marks: patterns, a legend, an image
 * @returns {SVGSVGElement}
 */
export function plotted(options, behind = []) {
  const svg = Plot.plot({ className: "plot", ...options });
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-size", String(FONT));
  svg.setAttribute("font-family", FAMILY);
  for (const group of svg.querySelectorAll("[aria-label]")) silence(group);
  svg.prepend(...behind.filter((node) => node !== null));
  return svg;
}

/** Plot names its groups after kinds of marks, which tells nobody anything; axes are told by each mark's own words. */
function silence(group) {
  if (/axis|grid/.test(group.getAttribute("aria-label"))) group.setAttribute("aria-hidden", "true");
  group.removeAttribute("aria-label");
}

/** An SVG element with attributes and children; those that are null are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) if (value != null) made.setAttribute(attribute, String(value));
  made.append(...children.filter((child) => child != null));
  return made;
}

/** A mark with its words, in a link where it leads somewhere. */
export function linked(mark, words, href) {
  mark.append(element("title", {}, words));
  return href ? element("a", { href }, mark) : mark;
}

/** Tell the arrow keys which of the links, drawn in the order of `rows`, stand beside each other: see roving.js. */
export function arranged(svg, rows, rowOf, { stacked = false } = {}) {
  const keys = rows.filter((row) => row.href).map(rowOf);
  svg.querySelectorAll("a").forEach((link, index) => link.setAttribute("data-row", keys[index]));
  if (stacked) svg.setAttribute("data-stacked", "");
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
  let [least, most] = [0, whole.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(shortened(whole, middle)) <= width) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? shortened(whole, least) : "";
}

function shortened(text, length) {
  return `${text.slice(0, length).trimEnd()}…`;
}

/** The text in lines no wider than `width`, at most `most` of them; what is left is cut short. */
export function wrapped(text, width, most) {
  const lines = [""];
  for (const word of String(text).split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (widthOf(longer) <= width || lines.length === most || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fitted(line, width));
}

/** How much room labels on the left take, at most `share` of the whole width. */
export function roomFor(labels, width, share = 0.32) {
  const widest = Math.max(0, ...labels.map((label) => widthOf(String(label))));
  return Math.ceil(Math.min(widest, width * share)) + 12;
}

/** The rows' distinct values of a column, in the order in which they first appear. */
export function distinct(rows, name) {
  return [...new Set(rows.map((row) => row[name]))];
}
