/** A drawing as a file or a picture to copy: SVG with every colour written out, or PNG at twice its size on the colour scheme's background. */

import { contextOf, element as made } from "../shared/drawing.js";
import { load } from "../shared/requests.js";

const SCALE = 2;
/** Pixels around the drawing. */
const MARGIN = 12;
const HEADING = { size: 16, line: 20 };
const PAGE_ATTRIBUTES = new Set([
  "class", "style", "role", "tabindex", "aria-labelledby", "aria-details", "aria-description",
  "data-tip", "data-picture", "data-row", "data-series", "data-stacked",
]);

/** Downloads a drawing. @param {SVGSVGElement} svg @param {"png" | "svg"} kind @param {{name: string, title: string}} about  name: of the file, without its ending */
export async function save(svg, kind, { name, title }) {
  download(await (kind === "svg" ? drawingOf(svg, title) : pictureOf(svg, title)), `${name}.${kind}`);
}

/** The drawing as a PNG. @param {SVGSVGElement} svg @param {string} title */
export async function pictureOf(svg, title) {
  return rasterized(await drawingOf(svg, title), getComputedStyle(document.documentElement).backgroundColor);
}

/** @param {SVGSVGElement} svg @param {string} title */
async function drawingOf(svg, title) {
  return new Blob([await standalone(svg, title)], { type: "image/svg+xml" });
}

/** The drawing as text that needs no page: colours as they are now, no links, its title and pictures in it. @param {SVGSVGElement} svg @param {string} title */
async function standalone(svg, title) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const [originals, copies] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  copies.forEach((element, index) => writeOutStyle(element, getComputedStyle(originals[index])));
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const hidden of copy.querySelectorAll('[fill="transparent"], [stroke="transparent"]')) hidden.remove();
  await Promise.all(Array.from(copy.querySelectorAll("image"), embed));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height, lines } = sizeOf(svg, title);
  const style = getComputedStyle(document.body);
  const top = -lines.length * HEADING.line;
  copy.prepend(made("title", {}, title), ...lines.map((line, index) => made("text", {
    x: 0, y: top + HEADING.size + index * HEADING.line - 4, fill: style.color, "font-family": style.fontFamily,
    "font-size": HEADING.size, "font-weight": line.bold ? 700 : 400, "text-anchor": "start",
  }, line.text)));
  const frame = { width, height, viewBox: `${-MARGIN} ${top - MARGIN} ${width} ${height}` };
  for (const [name, value] of Object.entries(frame)) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/** Puts a picture itself where its address is: a file cannot load anything. @param {SVGImageElement} image */
async function embed(image) {
  const address = image.href.baseVal;
  if (address.startsWith("data:")) return;
  const blob = await (await load(address)).blob();
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener("load", resolve));
  reader.readAsDataURL(blob);
  await read;
  image.removeAttributeNS("http://www.w3.org/1999/xlink", "href");
  image.setAttribute("href", String(reader.result));
}

/** The size of a picture, whose first lines say what it shows and whose results these are. @param {SVGSVGElement} svg @param {string} title */
function sizeOf(svg, title) {
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  const scope = document.querySelector("#study option:checked") ?? document.querySelector(".known strong");
  const undo = document.querySelector("#population span");
  const source = [document.title.split(" · ")[0], scope?.textContent, undo?.textContent].filter(Boolean).join(" · ");
  const lines = [...wrapped(title, width, true), ...wrapped(source, width, false)];
  return { width: width + 2 * MARGIN, height: height + lines.length * HEADING.line + 2 * MARGIN, lines };
}

/** @param {string} text @param {number} width @param {boolean} bold */
function wrapped(text, width, bold) {
  const context = contextOf(document.createElement("canvas"));
  context.font = `${bold ? 700 : 400} ${HEADING.size}px ${getComputedStyle(document.body).fontFamily}`;
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+(?![^(]*\))/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => ({ text: line, bold }));
}

/** Writes out what an element takes from style sheets. @param {Element} element @param {CSSStyleDeclaration} computed */
function writeOutStyle(element, computed) {
  for (const { name, value } of Array.from(element.attributes)) {
    if (PAGE_ATTRIBUTES.has(name)) element.removeAttribute(name);
    else if (/var\(|currentcolor/i.test(value)) element.setAttribute(name, computed.getPropertyValue(name));
  }
}

/** @param {Blob} drawing @param {string} background @returns {Promise<Blob>} */
async function rasterized(drawing, background) {
  const address = URL.createObjectURL(drawing);
  try {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    const context = contextOf(canvas);
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new TypeError("the drawing is too large for a picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
