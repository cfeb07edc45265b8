/** A finger acts when it is lifted where it came down: pan, pinch and long press never act. */

/** A finger that stays longer wants something else. */
export const LONG_PRESS_MS = 700;
/** A finger hides a cell of fewer CSS pixels, so the loupe shows it. */
const SMALL_CELL = 12;
const LOUPE_CELLS = 9;
const LOUPE_SIDE = 117;
/** Between finger and loupe, and between loupe and edge of the window, in CSS pixels. */
const [AWAY, EDGE] = [44, 4];

/** @typedef {Pick<PointerEvent, "pointerId" | "timeStamp">} Finger */

/** The fingers that are down, each with the place where it came down. @template Place */
export class Fingers {
  /** @type {Map<number, {place: Place, began: number}>} */
  #down = new Map();

  down(/** @type {Finger} */ { pointerId, timeStamp }, /** @type {Place} */ place) {
    this.#down.set(pointerId, { place, began: timeStamp });
  }

  /** Forgets what has become a pan or a pinch: this finger, or all of them. */
  cancel(/** @type {number | undefined} */ pointerId) {
    if (pointerId === undefined) this.#down.clear();
    else this.#down.delete(pointerId);
  }

  /** Where and when this finger came down, and whether its lift acts; null if it was forgotten. */
  lift(/** @type {Finger} */ { pointerId, timeStamp }, /** @type {(place: Place) => boolean} */ isThere) {
    const finger = this.#down.get(pointerId);
    this.#down.delete(pointerId);
    return finger ? { ...finger, acts: timeStamp - finger.began <= LONG_PRESS_MS && isThere(finger.place) } : null;
  }
}

/** Whether a cell is hidden by a finger. @param {number} side  CSS pixels */
export function needsLoupe(side) {
  return side < SMALL_CELL;
}

/**
 * Where the loupe stands: above the finger, or beside it where there is no room above; never under it.
 * @param {number} x  of the finger in the window, CSS pixels @param {number} y @param {number} width  of the window
 */
export function loupeAt(x, y, width) {
  const above = y - AWAY - LOUPE_SIDE;
  const beside = x > width / 2 ? x - AWAY - LOUPE_SIDE : x + AWAY;
  const left = Math.min(width - LOUPE_SIDE - EDGE, Math.max(EDGE, x - LOUPE_SIDE / 2));
  return above >= EDGE ? { left, top: above } : { left: beside, top: Math.max(EDGE, y - LOUPE_SIDE / 2) };
}

/**
 * Draws the cells around one, enlarged.
 * @param {HTMLCanvasElement} loupe @param {HTMLCanvasElement[]} layers  of the board @param {number} side  of the board, in cells
 * @param {{x: number, y: number}} cell
 */
export function drawLoupe(loupe, layers, side, { x, y }) {
  const pixels = LOUPE_SIDE * Math.ceil(window.devicePixelRatio);
  Object.assign(loupe, { width: pixels, height: pixels });
  const [context, one, around] = [loupe.getContext("2d"), pixels / LOUPE_CELLS, (LOUPE_CELLS - 1) / 2];
  if (!context) return;
  context.imageSmoothingEnabled = false;
  for (const layer of layers) {
    const unit = layer.width / side;
    context.drawImage(layer, (x - around) * unit, (y - around) * unit, LOUPE_CELLS * unit, LOUPE_CELLS * unit, 0, 0, pixels, pixels);
  }
  for (const [style, wider] of /** @type {[string, number][]} */ ([["#000", 3], ["#fff", 1]])) {
    Object.assign(context, { strokeStyle: style, lineWidth: wider * Math.ceil(window.devicePixelRatio) });
    context.strokeRect(around * one, around * one, one, one);
  }
}
