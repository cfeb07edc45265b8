/** The frame of another attempt over the frame shown: only the cells that differ are drawn. */

import { SIDE } from "../shared/codec.js";
import { PALETTE } from "../shared/palette.js";

const OPACITY = 150;

/** Draws on a canvas of 64 by 64. @param {HTMLCanvasElement} canvas @param {Uint8Array} ghost @param {Uint8Array} frame */
export function drawGhost(canvas, ghost, frame) {
  const pixels = new ImageData(SIDE, SIDE);
  ghost.forEach((colour, cell) => {
    if (colour === frame[cell]) return;
    const [red, green, blue] = [16, 8, 0].map((shift) => (PALETTE[colour] >> shift) & 255);
    pixels.data.set([red, green, blue, OPACITY], cell * 4);
  });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}
