/** Which tiles are on the screen, or nearly: a tile just outside is ready when somebody scrolls. */

const NEAR = "200px";

export class TilesInView {
  /** @type {Set<HTMLElement>} */
  tiles = new Set();
  #observer;

  /** @param {() => void} changed  called when tiles have come into view or left it */
  constructor(changed) {
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (target instanceof HTMLElement) this.tiles[isIntersecting ? "add" : "delete"](target);
      }
      changed();
    }, { rootMargin: NEAR });
  }

  watch(/** @type {HTMLElement} */ tile) {
    this.#observer.observe(tile);
  }

  leave(/** @type {HTMLElement} */ tile) {
    this.#observer.unobserve(tile);
    this.tiles.delete(tile);
  }
}
