/**
 * What a person presses becomes an action: keys, cells of the board, and `<play-controls>`, buttons that look like key caps.
 */

import { ACTION } from "../shared/actions.js";
import { INPUT } from "../shared/codec.js";
import { icon } from "../shared/drawing.js";
import { onDetail } from "../shared/events.js";
import { Fingers } from "../shared/touch.js";
import { gettext } from "../shared/catalogue.js";
import { REST_MS } from "./turn-taking.js";
import { isUsed, labelOf, learn, meaning, offers } from "./keys.js";

/** @import { IntentGate, Verdict } from "./turn-taking.js" */
/** @import { PlayBoard } from "../shared/board.js" */
/** @import { CapPress, CellPress } from "./types" */

/**
 * @typedef {object} Press
 * @property {number} action  one of ACTION
 * @property {number} input  one of INPUT
 * @property {number} timeStamp  when it was made, as performance.now() counts
 * @property {number | null} screenAge  how long its screen could be seen then, in milliseconds
 * @property {boolean} [waited]  for the answer to the press before it
 * @property {number} [x]  the cell of a click
 * @property {number} [y]
 */

/**
 * @param {object} from
 * @param {PlayBoard} from.board
 * @param {PlayControls} from.controls
 * @param {IntentGate} from.gate
 * @param {() => boolean} from.listening  whether presses are meant for the board now
 * @param {() => number} from.available  the actions offered, bit i: action i
 * @param {(event: KeyboardEvent, verdict: Verdict) => void} [from.elsewhere]  gets the keys that are not meant for the board
 * @param {(press: Press) => boolean} take  a press that counts; whether it is carried out, now or after others
 * @param {(press: Press) => void} refuse  a press that was made before its screen could be seen
 */
export function listen({ board, controls, gate, listening, available, elsewhere }, take, refuse) {
  const press = (/** @type {Verdict} */ verdict, /** @type {Omit<Press, "screenAge">} */ made) => {
    if (verdict === "held") return;
    const judged = { ...made, screenAge: gate.age(made.timeStamp) };
    let taken = false;
    if (verdict === "early") {
      refuse(judged);
    } else {
      controls.flash(made.action);
      taken = take(judged);
    }
    if (made.x !== undefined && made.y !== undefined) board.ring({ x: made.x, y: made.y }, taken);
  };
  const pointed = (/** @type {{timeStamp: number, began: number}} */ { timeStamp, began }, /** @type {string} */ place) =>
    gate.board(timeStamp, timeOf({ timeStamp: began }), place);

  watchHands(gate, (event, verdict) => {
    if (!listening()) return elsewhere?.(event, verdict);
    const meant = meaning(event, available());
    if (meant === null) return;
    event.preventDefault();
    if (meant.kind === "mark") return board.moveMark(meant.right, meant.down);
    const input = event.repeat ? INPUT.KEY_REPEAT : INPUT.KEY;
    const timeStamp = timeOf(event);
    if (meant.kind === "action") return press(verdict, { action: meant.action, input, timeStamp });
    if (board.marked) return press(verdict, { action: ACTION.CLICK, ...board.marked, input, timeStamp });
    return board.moveMark(0, 0);
  });

  onDetail(board, "cell", (/** @type {CellPress} */ { x, y, pointerType, ...made }) => {
    if (!listening()) return;
    const timeStamp = timeOf(made);
    const input = pointerType === "mouse" ? INPUT.MOUSE : INPUT.TOUCH;
    press(pointed({ ...made, timeStamp }, `${x},${y}`), { action: ACTION.CLICK, x, y, input, timeStamp });
  });

  onDetail(controls, "press", (/** @type {CapPress} */ { action, ...made }) => {
    const timeStamp = timeOf(made);
    if (listening()) press(pointed({ ...made, timeStamp }, `cap ${action}`), { action, input: INPUT.BUTTON, timeStamp });
  });
}

/**
 * Tells the gate of every key and pointer, wherever it presses; then `keyed` gets the key with its verdict, unless what has the focus
 * uses the key itself.
 * @param {IntentGate} gate @param {(event: KeyboardEvent, verdict: Verdict) => unknown} keyed
 */
export function watchHands(gate, keyed) {
  window.addEventListener("keydown", (event) => {
    const verdict = gate.key(event.code || event.key, timeOf(event), event.repeat);
    if (!isUsed(event)) keyed(event, verdict);
  });
  window.addEventListener("keyup", (event) => gate.release(event.code || event.key));
  window.addEventListener("blur", () => gate.releaseAll());
  window.addEventListener("pointerdown", (event) => {
    gate.pointer(timeOf(event));
    if (event.target instanceof Element && event.target.closest("button:not(.cap)")) gate.button(timeOf(event));
  }, { capture: true });
}

/** What is done next acts on another screen, which is not painted yet. */
export function anotherScreen(/** @type {IntentGate} */ gate) {
  gate.change();
  requestAnimationFrame((now) => gate.visible(now));
}

/**
 * Reports whether hands have rested: now, and again until they have. What cannot be undone waits for it.
 * @param {{restIn: (at: number) => number}} gate @param {(rested: boolean) => void} report
 * @returns {() => void} reports no more
 */
export function untilRested(gate, report) {
  /** @type {number | undefined} */
  let timer;
  const look = () => {
    const rest = gate.restIn(performance.now());
    timer = rest > 0 ? setTimeout(look, Math.min(rest, REST_MS)) : undefined;
    report(rest <= 0);
  };
  look();
  return () => clearTimeout(timer);
}

/** When it happened, never after now: not every program that makes events has this clock. */
export function timeOf(/** @type {{timeStamp: number}} */ event) {
  return Math.min(event.timeStamp, performance.now());
}

const FLASH_MS = 120;
const REFUSED_MS = 500;

/** What has no mouse seldom has a space bar. */
const HAS_KEYS = !window.matchMedia("(hover: none)").matches;
/** Each has a place of its own in the grid. Icons are strokes in a box of 24 by 24. */
const CAPS = Object.freeze([
  { action: ACTION.UP, place: "up", name: gettext("Up"), key: "W", strokes: "M12 19V5M5.5 11.5 12 5l6.5 6.5" },
  { action: ACTION.LEFT, place: "left", name: gettext("Left"), key: "A", strokes: "M19 12H5M11.5 5.5 5 12l6.5 6.5" },
  { action: ACTION.DOWN, place: "down", name: gettext("Down"), key: "S", strokes: "M12 5v14M5.5 12.5 12 19l6.5-6.5" },
  { action: ACTION.RIGHT, place: "right", name: gettext("Right"), key: "D", strokes: "M5 12h14M12.5 5.5 19 12l-6.5 6.5" },
  { action: ACTION.INTERACT, place: "interact", name: HAS_KEYS ? gettext("Space") : gettext("Use"), key: "F", labelled: true, strokes: "M4 10v5h16v-5" },
  {
    action: ACTION.CLICK, place: "click", name: gettext("Click on the board"), labelled: true,
    strokes: "M9 9l4.5 12 2-5.5L21 13.5ZM9 2v3M2 9h3M4 4l2 2",
  },
  {
    action: ACTION.UNDO, place: "undo", name: gettext("Undo"), key: "Z", labelled: true,
    strokes: "M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11H9",
  },
  {
    action: ACTION.RESET, place: "reset", name: gettext("Reset level"), key: "R", labelled: true,
    strokes: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3v5h-5",
  },
]);

/** The controls beside each other, in arrangements that stand beside the board and below it; a row without a control is left out. */
const ARROW_PLACES = ["up", "left", "down", "right"];

/**
 * Rows of CSS's grid-template-areas for these places, three columns wide where the caps stand beside the board, six where below.
 * @param {ReadonlySet<string>} places
 * @param {boolean} isBelow
 */
export function areasOf(places, isBelow) {
  const last = places.has("undo") ? "undo reset reset" : "reset reset reset";
  const rows = [...["click", "interact"].filter((place) => places.has(place)).map((place) => `${place} ${place} ${place}`), last];
  const arrows = ARROW_PLACES.some((place) => places.has(place)) ? [". up .", "left down right"] : [];
  if (!isBelow) return [...(places.has("click") ? rows.splice(0, 1) : []), ...arrows, ...rows];
  if (arrows.length > 0 && rows.length === 1) return arrows.map((row) => `${row} ${last}`);
  const beside = arrows.map((row, place) => `${row} ${rows[place]}`);
  return [...beside, ...rows.slice(beside.length).map(twiceAsWide)];
}

function twiceAsWide(/** @type {string} */ row) {
  return row.split(" ").flatMap((place) => [place, place]).join(" ");
}

/** Events: `press` with detail `{action, timeStamp}` when a cap is pressed; `offered` when there are more caps. */
export class PlayControls extends HTMLElement {
  /** @type {Map<number, HTMLElement>} */
  #caps = new Map();
  #offered = 0;
  /** Timers that remove the sign of a refusal, by action. @type {Map<number, number>} */
  #refused = new Map();
  /** @type {Fingers<HTMLElement>} */
  #fingers = new Fingers();
  /** What keys write, by their place, as far as it is known. @type {Map<string, string>} */
  #layout = new Map();

  connectedCallback() {
    for (const cap of CAPS) this.#caps.set(cap.action, makeCap(cap));
    window.addEventListener("keydown", (event) => {
      if (learn(this.#layout, event)) this.#label();
    });
    void this.#readLayout();
    this.replaceChildren(...this.#caps.values());
    this.addEventListener("pointerdown", this.#pointed);
    this.addEventListener("pointerup", this.#lifted);
    this.addEventListener("pointercancel", ({ pointerId }) => this.#fingers.cancel(pointerId));
    this.addEventListener("click", this.#clicked);
    this.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Not every browser tells its layout, and none tells of another script: the rest is learned from what is pressed. */
  async #readLayout() {
    const { keyboard } = /** @type {{keyboard?: {getLayoutMap: () => Promise<Map<string, string>>}}} */ (navigator);
    const layout = await keyboard?.getLayoutMap().catch(() => null);
    if (!layout || this.#layout.size) return;
    this.#layout = new Map(layout);
    this.#label();
  }

  /** Shows on each cap the letter that works on this keyboard. */
  #label() {
    for (const { action, key } of CAPS) {
      const label = this.#caps.get(action)?.querySelector(".cap-key");
      if (key && label) label.textContent = labelOf(key.toLowerCase(), this.#layout);
    }
  }

  /** Forgets the controls of the last environment. */
  clear() {
    this.#offered = 0;
    this.offer(0, 0);
  }

  /** Gives the caps their places; `isBelow`: below the board, not beside it. */
  arrange(/** @type {boolean} */ isBelow) {
    const places = new Set(CAPS.filter(({ action }) => offers(this.#offered, action)).map(({ place }) => place));
    const rows = areasOf(places, isBelow);
    this.style.gridTemplateAreas = rows.map((row) => JSON.stringify(row)).join(" ");
    this.style.setProperty("--rows", String(rows.length));
    this.style.setProperty("--columns", String(rows[0].split(" ").length));
  }

  /**
   * @param {number} available  the actions offered here, bit i: action i; a control once offered keeps its place
   * @param {number} accepted  those that can be used at this moment
   */
  offer(available, accepted) {
    const before = this.#offered;
    this.#offered |= available;
    for (const [action, cap] of this.#caps) {
      cap.hidden = !offers(this.#offered, action);
      cap.setAttribute("aria-disabled", String(!offers(accepted, action)));
    }
    if (before !== this.#offered) this.dispatchEvent(new Event("offered"));
  }

  /** Shows that a control was pressed. */
  flash(/** @type {number} */ action) {
    const cap = this.#caps.get(action);
    if (cap?.getAttribute("aria-disabled") !== "false") return;
    cap.classList.add("pressed");
    setTimeout(() => cap.classList.remove("pressed"), FLASH_MS);
  }

  /** Shows that a press of this control was refused. */
  refuse(/** @type {number} */ action) {
    const cap = this.#caps.get(action);
    if (!cap) return;
    cap.classList.remove("pressed");
    cap.classList.add("refused");
    clearTimeout(this.#refused.get(action));
    this.#refused.set(action, setTimeout(() => cap.classList.remove("refused"), REFUSED_MS));
  }

  /** Marks a control as used, in the tutorial. */
  light(/** @type {number} */ action) {
    this.#caps.get(action)?.classList.add("used");
  }

  /** Draws attention to a control, or no longer. */
  glow(/** @type {number} */ action, /** @type {boolean} */ glowing) {
    this.#caps.get(action)?.classList.toggle("glowing", glowing);
  }

  /** A mouse presses at once. No pointer moves the focus, so that Space still belongs to the environment. */
  #pointed = (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    const cap = capOf(event);
    if (!cap || event.button !== 0) return;
    if (event.pointerType === "mouse") this.#press(cap, event);
    else this.#fingers.down(event, cap);
  };

  #lifted = (/** @type {PointerEvent} */ event) => {
    const { clientX, clientY } = event;
    const finger = this.#fingers.lift(event, (cap) => cap.contains(document.elementFromPoint(clientX, clientY)));
    if (finger?.acts) this.#press(finger.place, event, finger.began);
  };

  /** Assistive technology clicks without a pointer. */
  #clicked = (/** @type {MouseEvent} */ event) => {
    const cap = capOf(event);
    if (cap && event.detail === 0) this.#press(cap, event);
  };

  /** @param {HTMLElement} cap @param {Event} event @param {number} began */
  #press(cap, { timeStamp }, began = timeStamp) {
    this.dispatchEvent(new CustomEvent("press", { detail: { action: Number(cap.dataset.action), timeStamp, began } }));
  }
}

/** @returns {HTMLElement | null} */
function capOf(/** @type {Event} */ { target }) {
  return target instanceof Element ? target.closest("button.cap") : null;
}

/** Makes a key cap; for the click a sentence and no button, because clicks are made on the board. */
function makeCap(/** @type {typeof CAPS[number]} */ { action, place, name, key, labelled, strokes }) {
  const cap = document.createElement(action === ACTION.CLICK ? "div" : "button");
  cap.className = `cap cap-${place}`;
  cap.style.gridArea = place;
  cap.dataset.action = String(action);
  if (cap instanceof HTMLButtonElement) {
    cap.type = "button";
    cap.tabIndex = -1;
  } else {
    cap.setAttribute("role", "img");
  }
  cap.setAttribute("aria-label", name);
  cap.append(icon(strokes), ...text("cap-label", labelled ? name : undefined), ...text("cap-key", key));
  return cap;
}

function text(/** @type {string} */ className, /** @type {string | undefined} */ label) {
  if (!label) return [];
  const span = document.createElement("span");
  span.className = className;
  span.textContent = label;
  return [span];
}

customElements.define("play-controls", PlayControls);
