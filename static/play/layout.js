/**
 * Where the board, its controls and the rest of the page stand: the arrangement in which the board has the most device pixels while
 * everything else fits. Each is laid out by the browser and looked at, so that any font, zoom or text counts.
 */

import { wholeScale } from "../shared/board.js";
import { SIDE } from "../shared/codec.js";

/** @import { PlayControls } from "./controls.js" */

/** The arrangements of board.css; of equally large boards the first wins. */
const LAYOUTS = Object.freeze(["sides", "column", "bar", "below"]);
/** That of a page so much enlarged that no other leaves the board this many device pixels a cell. */
const [LOW, LEAST_CELL] = ["low", 4];
/** Those in which the caps take six columns. */
const WIDE = new Set(["below", LOW]);

/** Lays the page out again when its size changes, or its controls. */
export class PageLayout {
  /**
   * @param {HTMLElement} page
   * @param {HTMLElement} board
   * @param {PlayControls} controls
   */
  constructor(page, board, controls) {
    this.page = page;
    this.board = board;
    this.controls = controls;
    window.addEventListener("resize", () => this.arrange());
    controls.addEventListener("offered", () => this.arrange());
  }

  /** Looks at every arrangement and keeps the best; none where the page shows no board. */
  arrange() {
    delete this.page.dataset.layout;
    if (!this.board.checkVisibility()) return;
    let [best, most] = [LOW, 0];
    const look = (/** @type {string} */ layout) => {
      this.#lay(layout);
      const { clientWidth, clientHeight } = this.board;
      const cell = wholeScale(clientWidth, clientHeight, window.devicePixelRatio);
      const hasRoom = Math.min(clientWidth, clientHeight) * window.devicePixelRatio >= SIDE;
      if (hasRoom && cell > most && this.#fits()) [best, most] = [layout, cell];
    };
    LAYOUTS.forEach(look);
    if (most < LEAST_CELL) look(LOW);
    this.#lay(best);
  }

  #lay(/** @type {string} */ layout) {
    this.page.dataset.layout = layout;
    this.controls.arrange(WIDE.has(layout));
  }

  /** Whether everything is on the page, and nothing lies over anything else. */
  #fits() {
    const parts = [...this.page.querySelectorAll(".beside > *, .foot, play-board"), ...this.controls.children];
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height > 0);
    const { clientWidth, clientHeight } = document.documentElement;
    return boxes.every((box, place) => box.left > -1 && box.top > -1 && box.right < clientWidth + 1 && box.bottom < clientHeight + 1
      && boxes.slice(place + 1).every((other) => isApart(box, other)));
  }
}

/** @param {DOMRect} one @param {DOMRect} other */
function isApart(one, other) {
  return one.right < other.left + 1 || other.right < one.left + 1 || one.bottom < other.top + 1 || other.bottom < one.top + 1;
}
