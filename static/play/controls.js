/** `<play-controls>`: buttons that look like key caps, one for each control of an environment. */

import { ACTION } from "../shared/actions.js";
import { offers } from "./keys.js";

const SVG = "http://www.w3.org/2000/svg";
const FLASH_MS = 120;
const REFUSED_MS = 500;

/** Each has a place of its own in the grid of board.css. Icons are strokes in a box of 24 by 24. */
const CAPS = Object.freeze([
  { action: ACTION.UP, place: "up", name: "Up", key: "W", icon: "M12 19V5M5.5 11.5 12 5l6.5 6.5" },
  { action: ACTION.LEFT, place: "left", name: "Left", key: "A", icon: "M19 12H5M11.5 5.5 5 12l6.5 6.5" },
  { action: ACTION.DOWN, place: "down", name: "Down", key: "S", icon: "M12 5v14M5.5 12.5 12 19l6.5-6.5" },
  { action: ACTION.RIGHT, place: "right", name: "Right", key: "D", icon: "M5 12h14M12.5 5.5 19 12l-6.5 6.5" },
  { action: ACTION.INTERACT, place: "interact", name: "Space", key: "F", labelled: true, icon: "M4 10v5h16v-5" },
  {
    action: ACTION.CLICK, place: "click", name: "Click on the board", labelled: true,
    icon: "M9 9l4.5 12 2-5.5L21 13.5ZM9 2v3M2 9h3M4 4l2 2",
  },
  {
    action: ACTION.UNDO, place: "undo", name: "Undo", key: "Z", labelled: true,
    icon: "M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11H9",
  },
  {
    action: ACTION.RESET, place: "reset", name: "Reset level", key: "R", labelled: true,
    icon: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3v5h-5",
  },
]);

/** Events: `press` with detail `{action, timeStamp}` when a cap is pressed. */
export class PlayControls extends HTMLElement {
  /** @type {Map<number, HTMLElement>} */
  #caps = new Map();
  #offered = 0;
  /** Timers that remove the sign of a refusal, by action. @type {Map<number, number>} */
  #refused = new Map();

  connectedCallback() {
    for (const cap of CAPS) this.#caps.set(cap.action, makeCap(cap));
    this.replaceChildren(...this.#caps.values());
    this.addEventListener("pointerdown", this.#pointed);
    this.addEventListener("click", this.#clicked);
    this.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Forgets the controls of the last environment. */
  clear() {
    this.#offered = 0;
    this.offer(0, 0);
  }

  /**
   * @param {number} available  the actions offered here, bit i: action i; a control once offered keeps its place
   * @param {number} accepted  those that can be used at this moment
   */
  offer(available, accepted) {
    this.#offered |= available;
    for (const [action, cap] of this.#caps) {
      cap.hidden = !offers(this.#offered, action);
      cap.setAttribute("aria-disabled", String(!offers(accepted, action)));
    }
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

  /** A pointer presses at once and does not move the focus, so that Space still belongs to the environment. */
  #pointed = (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    if (event.button === 0) this.#press(event);
  };

  /** Assistive technology clicks without a pointer. */
  #clicked = (/** @type {MouseEvent} */ event) => {
    if (event.detail === 0) this.#press(event);
  };

  #press(/** @type {Event} */ event) {
    const cap = event.target instanceof Element ? event.target.closest("button.cap") : null;
    if (!(cap instanceof HTMLElement)) return;
    const detail = { action: Number(cap.dataset.action), timeStamp: event.timeStamp };
    this.dispatchEvent(new CustomEvent("press", { detail }));
  }
}

/** Makes a key cap; for the click a sentence and no button, because clicks are made on the board. */
function makeCap(/** @type {typeof CAPS[number]} */ { action, place, name, key, labelled, icon }) {
  const cap = document.createElement(action === ACTION.CLICK ? "div" : "button");
  cap.className = `cap cap-${place}`;
  cap.dataset.action = String(action);
  if (cap instanceof HTMLButtonElement) {
    cap.type = "button";
    cap.tabIndex = -1;
  } else {
    cap.setAttribute("role", "img");
  }
  cap.setAttribute("aria-label", name);
  cap.append(picture(icon), ...text("cap-label", labelled ? name : undefined), ...text("cap-key", key));
  return cap;
}

function picture(/** @type {string} */ strokes) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", strokes);
  svg.append(path);
  return svg;
}

function text(/** @type {string} */ className, /** @type {string | undefined} */ label) {
  if (!label) return [];
  const span = document.createElement("span");
  span.className = className;
  span.textContent = label;
  return [span];
}

customElements.define("play-controls", PlayControls);
