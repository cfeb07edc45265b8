/** SVG elements, and frames given as hexadecimal digits drawn on a canvas. */

import { SIDE } from "./codec.js";
import { PALETTE, hexadecimal, pixel } from "./palette.js";

/** @typedef {string | number | null | undefined} Attribute */

/**
 * An SVG element with attributes and children; those that are null are left out.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, Attribute>} attributes
 * @param {...(Node | string | null | undefined)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) if (value != null) made.setAttribute(attribute, String(value));
  made.append(...children.filter((child) => child != null));
  return made;
}

/** An icon: strokes in a box of 24 by 24. */
export function icon(/** @type {string} */ strokes) {
  return element("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, element("path", { d: strokes }));
}

/** @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new TypeError("this browser cannot draw on a canvas");
  return context;
}

/**
 * A canvas with a frame on it.
 * @param {string} digits  4,096 hexadecimal digits, one a cell
 * @param {number} scale  pixels a cell
 * @param {(colour: number) => string} style  of a colour of the palette, 0xRRGGBB
 */
export function frameCanvas(digits, scale, style = hexadecimal) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE * scale, height: SIDE * scale });
  const context = contextOf(canvas);
  const styles = PALETTE.map(style);
  for (let cell = 0; cell < SIDE * SIDE; cell += 1) {
    context.fillStyle = styles[Number.parseInt(digits[cell], 16)];
    context.fillRect((cell % SIDE) * scale, Math.floor(cell / SIDE) * scale, scale, scale);
  }
  return canvas;
}

/** Draws a frame on a canvas of 64 by 64 pixels. @param {HTMLCanvasElement} canvas @param {Uint8Array} frame */
export function drawCells(canvas, frame) {
  const pixels = Uint32Array.from(frame, (colour) => pixel(PALETTE[colour]));
  contextOf(canvas).putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), SIDE, SIDE), 0, 0);
}
