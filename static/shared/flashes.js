/** Changes of brightness of most of the board, and whether they flash: as `engine/prove/qualification/flashes.py` warns of. */

import { CELLS } from "./codec.js";
import { PALETTE } from "./palette.js";

/** More in a second can cause a seizure; a flash is a pair of opposite changes. */
const MOST_FLASHES = 3;
const FLASHING_SHARE = 0.5;
const FLASHING_BRIGHTNESS = 0.1;
const BRIGHTNESS = PALETTE.map((colour) => {
  const [red, green, blue] = [16, 8, 0].map((shift) => {
    const channel = ((colour >> shift) & 0xff) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
});

export class Flashes {
  /** When the screen changed to the opposite of what it changed to before, the latest last. @type {number[]} */
  #times = [];
  #direction = 0;

  /** Whether most of the screen becomes brighter or darker, which is remembered. */
  changes(/** @type {Uint8Array} */ before, /** @type {Uint8Array} */ after, now = performance.now()) {
    let [brighter, darker] = [0, 0];
    for (let cell = 0; cell < CELLS; cell += 1) {
      const step = BRIGHTNESS[after[cell]] - BRIGHTNESS[before[cell]];
      if (step >= FLASHING_BRIGHTNESS) brighter += 1;
      else if (step <= -FLASHING_BRIGHTNESS) darker += 1;
    }
    if (Math.max(brighter, darker) < FLASHING_SHARE * CELLS) return false;
    const direction = Math.sign(brighter - darker);
    if (direction !== this.#direction) this.#times.push(now);
    this.#direction = direction;
    return true;
  }

  /** Whether the screen has flashed as often as it may in the last second, so that one more change is softened. */
  many(/** @type {number} */ now) {
    this.#times = this.#times.filter((time) => now - time < 1000);
    return this.#times.length >= 2 * MOST_FLASHES;
  }
}
