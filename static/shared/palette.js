/** The sixteen colours of a frame, as 0xRRGGBB. */

export const PALETTE = Object.freeze([
  0xffffff, 0xcccccc, 0x999999, 0x666666, 0x333333, 0x000000, 0xe53aa3, 0xff7bcc,
  0xf93c31, 0x1e93ff, 0x88d8f1, 0xffdc00, 0xff851b, 0x921231, 0x4fcc30, 0xa356d6,
]);

/** A colour as style sheets write it. */
export function hexadecimal(/** @type {number} */ colour) {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

/** A colour as canvas pixels are laid out in memory on little-endian machines. */
export function pixel(/** @type {number} */ colour) {
  return (0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;
}
