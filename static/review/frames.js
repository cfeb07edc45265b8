/** The frames of a journal. The last frame of every entry stays decoded; the others are decoded again when they are shown. */

import { decodeFrames } from "../shared/codec.js";

/** @import { Entry, Position } from "./types" */

export class Frames {
  #payloads;
  /** @type {Uint8Array[]} */
  #ends = [];
  /** @type {{entry: number, frames: Uint8Array[]}} */
  #recent = { entry: -1, frames: [] };

  /** @param {Entry[]} entries @throws {RangeError} if the bytes of an entry are not its frames */
  constructor(entries) {
    this.#payloads = entries.map((entry) => bytes(entry.frames));
    for (const [index, entry] of entries.entries()) {
      const frames = this.#decode(index);
      if (frames.length !== entry.frame_count) throw new RangeError(`entry ${entry.seq} lacks frames`);
      this.#ends.push(frames[frames.length - 1]);
    }
  }

  /** @param {Pick<Position, "entry" | "frame">} position @returns {Uint8Array} */
  at({ entry, frame }) {
    if (this.#recent.entry !== entry) this.#recent = { entry, frames: this.#decode(entry) };
    return this.#recent.frames[frame];
  }

  #decode(/** @type {number} */ entry) {
    return decodeFrames(this.#payloads[entry], this.#ends[entry - 1] ?? null);
  }
}

/** @param {string} base64 @returns {DataView} */
function bytes(base64) {
  return new DataView(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
}
