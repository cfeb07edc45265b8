/**
 * The intent gate: nothing counts that a person did before they could see the screen it acts on. Pure.
 *
 * A screen is what the next press acts on: a page, a level, its state, a dialog. Times are those of events, in
 * milliseconds of `performance.now()`.
 */

/** A held key repeats at most so often. */
export const REPEAT_MS = 125;
/** A button that cannot be undone waits until hands have rested for so long. */
export const REST_MS = 600;
/**
 * So soon after a button of the page the board is met by the second press of a double click; and so long a new screen is met by
 * presses that go on at one place.
 */
const DOUBLE_MS = 500;

/**
 * What a press is: `press` and `repeat` count; `early` was made before its screen could be seen; `held` is a key that
 * was not released since another screen, or repeats too fast.
 * @typedef {"press" | "repeat" | "early" | "held"} Verdict
 */

export class IntentGate {
  /** Counts screens. */
  #screen = 0;
  /** Since when the screen can be seen; Infinity until it is painted. */
  #visibleSince = Infinity;
  /** The keys that are down, each with the screen on which it was pressed and when it last counted. @type {Map<string, {screen: number, at: number}>} */
  #down = new Map();
  #lastPress = -Infinity;
  #lastButton = -Infinity;
  /** The last press of the board or of a control, and the screen that it was meant for. */
  #lastAim = { place: "", at: -Infinity, screen: 0 };

  /** Another screen begins: until it can be seen, nothing counts. */
  change() {
    this.#screen += 1;
    this.#visibleSince = Infinity;
  }

  /** The screen is painted. */
  visible(/** @type {number} */ at) {
    if (this.#visibleSince === Infinity) this.#visibleSince = at;
  }

  /** @param {string} code  of the key @param {number} at @param {boolean} repeats  as the browser says @returns {Verdict} */
  key(code, at, repeats) {
    this.#lastPress = Math.max(this.#lastPress, at);
    if (repeats) return this.#repeat(code, at);
    const verdict = this.#verdict(at);
    this.#down.set(code, { screen: verdict === "press" ? this.#screen : -1, at });
    return verdict;
  }

  /** A pointer, a button or assistive technology presses. @returns {Verdict} */
  pointer(/** @type {number} */ at) {
    this.#lastPress = Math.max(this.#lastPress, at);
    return this.#verdict(at);
  }

  /** A pointer presses a button of the page, which may bring another screen. */
  button(/** @type {number} */ at) {
    this.#lastButton = at;
  }

  /**
   * A pointer presses the board or a control of it, at `place`; it came down at `began` where it acts when it is lifted.
   * @param {number} at @param {number} began @param {string} place @returns {Verdict}
   */
  board(at, began, place) {
    const verdict = this.pointer(at);
    const [last, sinceSeen] = [this.#lastAim, began - this.#visibleSince];
    const goesOn = last.place === place && last.screen !== this.#screen && began - last.at < DOUBLE_MS && sinceSeen < DOUBLE_MS;
    const isEarly = goesOn || sinceSeen < 0 || began - this.#lastButton < DOUBLE_MS;
    this.#lastAim = { place, at, screen: isEarly ? -1 : this.#screen };
    return isEarly ? "early" : verdict;
  }

  release(/** @type {string} */ code) {
    this.#down.delete(code);
  }

  /** The window has lost the keyboard: no key is known to be down. */
  releaseAll() {
    this.#down.clear();
  }

  /** How long the screen could be seen at this moment, or null before that. */
  age(/** @type {number} */ at) {
    return at < this.#visibleSince ? null : at - this.#visibleSince;
  }

  /** How long hands have yet to rest from this moment until a button may be pressed that cannot be undone. */
  restIn(/** @type {number} */ at) {
    return Math.max(0, Math.max(this.#lastPress, this.#visibleSince) + REST_MS - at);
  }

  /** @returns {Verdict} */
  #verdict(/** @type {number} */ at) {
    return at < this.#visibleSince ? "early" : "press";
  }

  /** @returns {Verdict} */
  #repeat(/** @type {string} */ code, /** @type {number} */ at) {
    const key = this.#down.get(code);
    if (key?.screen !== this.#screen || at - key.at < REPEAT_MS) return "held";
    key.at = at;
    return "repeat";
  }
}
