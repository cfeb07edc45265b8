/**
 * The two binary messages of docs/wire.md: `action` out, `turn` in. Numbers are little endian.
 * A frame is a Uint8Array of 4,096 colours (0..15) in reading order.
 */

export const SIDE = 64;
export const CELLS = SIDE * SIDE;

export const INPUT = Object.freeze({ UNKNOWN: 0, KEY: 1, KEY_REPEAT: 2, MOUSE: 3, TOUCH: 4, BUTTON: 5 });
export const STATE = Object.freeze({ PLAYING: 0, WON: 1, GAME_OVER: 2 });

const ACTION_KIND = 1;
const ACTION_BYTES = 26;
const TURN_KIND = 2;
const TURN_BYTES = 14;
const CHANGED = 1;
const LEVEL_COMPLETED = 2;
const RESYNC = 4;
const DEFLATED = 8;
const KEYFRAME = 0xffff;
const RUNS = 0x8000;
const MOST_RUNS = 1023;
const MOST_DELTA_CELLS = 1000;
const MOST_FRAMES = 1000;
const LARGEST_PAYLOAD_BYTES = MOST_FRAMES * (2 + CELLS / 2);
const UNKNOWN_PAINT = 0xffff;

/**
 * @typedef {object} Turn
 * @property {boolean} changed  the frame or the level changed
 * @property {boolean} levelCompleted
 * @property {boolean} resync  sent after `session`, not an answer
 * @property {number} attempt
 * @property {number} sequence
 * @property {number} level  from 1
 * @property {number} levelsCompleted
 * @property {number} state  one of STATE
 * @property {number} available  bit i: action i is available
 * @property {Uint8Array[]} frames  at least one; all but the last are an animation
 */

/**
 * @param {object} press
 * @param {number} press.input  one of INPUT
 * @param {number} press.attempt
 * @param {number} press.sequence
 * @param {number} press.action  one of ACTION
 * @param {number} [press.x]  0..63, for a click
 * @param {number} [press.y]
 * @param {number | null} press.previousPaintMs  null when not known
 * @param {number | null} press.screenAge  milliseconds
 * @param {number} press.queuedMs
 * @param {number} press.clientTime  milliseconds since 1970
 * @returns {ArrayBuffer} 26 bytes
 */
export function encodeAction({ input, attempt, sequence, action, x = 0, y = 0, previousPaintMs, clientTime, screenAge, queuedMs }) {
  const message = new DataView(new ArrayBuffer(ACTION_BYTES));
  message.setUint8(0, ACTION_KIND);
  message.setUint8(1, input);
  message.setUint16(2, attempt, true);
  message.setUint32(4, sequence, true);
  message.setUint8(8, action);
  message.setUint8(9, x);
  message.setUint8(10, y);
  message.setUint16(12, millisecondsField(previousPaintMs), true);
  message.setFloat64(14, clientTime, true);
  message.setUint16(22, millisecondsField(screenAge), true);
  message.setUint16(24, millisecondsField(queuedMs), true);
  return message.buffer;
}

/** Whether this is a `turn` message whose frames have to be inflated first. */
export function isDeflated(/** @type {ArrayBuffer} */ buffer) {
  const message = new DataView(buffer);
  return buffer.byteLength >= TURN_BYTES && message.getUint8(0) === TURN_KIND
    && (message.getUint8(1) & DEFLATED) !== 0;
}

/**
 * The same `turn` message with its frames inflated.
 * @param {ArrayBuffer} buffer
 * @returns {Promise<ArrayBuffer>} rejected with a RangeError when its frames cannot be inflated, or are too large
 */
export async function inflated(buffer) {
  const header = new Uint8Array(buffer.slice(0, TURN_BYTES));
  header[1] &= ~DEFLATED;
  const parts = [header];
  let left = LARGEST_PAYLOAD_BYTES;
  const stream = new Blob([buffer.slice(TURN_BYTES)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      left -= part.value.byteLength;
      if (left < 0) throw new RangeError("a turn of more than a thousand frames");
      parts.push(part.value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof RangeError ? error : new RangeError(`a turn that cannot be inflated: ${error}`);
  }
  return new Blob(parts).arrayBuffer();
}

/**
 * @param {ArrayBuffer} buffer
 * @param {Uint8Array | null} previous  the last frame shown, null if none was
 * @returns {Turn}
 * @throws {RangeError} when these bytes are no `turn` message
 */
export function decodeTurn(buffer, previous) {
  const message = new DataView(buffer);
  if (buffer.byteLength < TURN_BYTES || message.getUint8(0) !== TURN_KIND) {
    throw new RangeError("not a turn message");
  }
  const flags = message.getUint8(1);
  if (flags & DEFLATED) throw new RangeError("a turn that was not inflated");
  const frames = decodeFrames(new DataView(buffer, TURN_BYTES), previous);
  if (frames.length === 0 || frames.length !== message.getUint16(12, true)) {
    throw new RangeError(`${frames.length} frames came, ${message.getUint16(12, true)} were announced`);
  }
  return {
    changed: (flags & CHANGED) !== 0,
    levelCompleted: (flags & LEVEL_COMPLETED) !== 0,
    resync: (flags & RESYNC) !== 0,
    attempt: message.getUint16(2, true),
    sequence: message.getUint32(4, true),
    level: message.getUint8(8),
    levelsCompleted: message.getUint8(9),
    state: message.getUint8(10),
    available: message.getUint8(11),
    frames,
  };
}

/**
 * @param {DataView} payload  frames one after the other
 * @param {Uint8Array | null} previous
 * @returns {Uint8Array[]}
 * @throws {RangeError}
 */
export function decodeFrames(payload, previous) {
  const frames = [];
  let offset = 0;
  while (offset < payload.byteLength) {
    const count = payload.getUint16(offset, true);
    offset += 2;
    if (count === KEYFRAME) {
      previous = unpack(payload, offset);
      offset += CELLS / 2;
    } else if (count >= RUNS) {
      previous = applyRuns(payload, offset, count - RUNS, previous);
      offset += 2 * (count - RUNS);
    } else {
      previous = apply(payload, offset, count, previous);
      offset += 2 * count;
    }
    frames.push(previous);
  }
  return frames;
}

/** @returns {Uint8Array} */
function unpack(/** @type {DataView} */ payload, /** @type {number} */ offset) {
  const frame = new Uint8Array(CELLS);
  for (let cell = 0; cell < CELLS; cell += 2) {
    const pair = payload.getUint8(offset + cell / 2);
    frame[cell] = pair & 15;
    frame[cell + 1] = pair >> 4;
  }
  return frame;
}

/** @returns {Uint8Array} */
function apply(
  /** @type {DataView} */ payload, /** @type {number} */ offset, /** @type {number} */ count,
  /** @type {Uint8Array | null} */ previous,
) {
  if (previous === null) throw new RangeError("the first frame must be a keyframe");
  if (count > MOST_DELTA_CELLS) throw new RangeError(`${count} changed cells need a keyframe`);
  const frame = previous.slice();
  for (let index = 0; index < count; index += 1) {
    const change = payload.getUint16(offset + 2 * index, true);
    frame[change >> 4] = change & 15;
  }
  return frame;
}

/** @returns {Uint8Array} */
function applyRuns(
  /** @type {DataView} */ payload, /** @type {number} */ offset, /** @type {number} */ count,
  /** @type {Uint8Array | null} */ previous,
) {
  if (previous === null) throw new RangeError("the first frame must be a keyframe");
  if (count > MOST_RUNS) throw new RangeError(`${count} runs need a keyframe`);
  const frame = previous.slice();
  let cell = 0;
  for (let gaps = offset, cells = offset + count; gaps < offset + count; gaps += 1, cells += 1) {
    const run = payload.getUint8(cells);
    cell += payload.getUint8(gaps);
    const end = cell + (run >> 4);
    if (end > CELLS) throw new RangeError("runs reach beyond the frame");
    frame.fill(run & 15, cell, end);
    cell = end;
  }
  return frame;
}

/** @param {number | null} milliseconds */
function millisecondsField(milliseconds) {
  if (milliseconds === null || !Number.isFinite(milliseconds)) return UNKNOWN_PAINT;
  return Math.min(UNKNOWN_PAINT - 1, Math.max(0, Math.round(milliseconds)));
}
