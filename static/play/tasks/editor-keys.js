/** What a key means in the task editor. */

import { gettext } from "../../shared/catalogue.js";
import { keyName } from "../keys.js";

/** @typedef {{kind: "move", right: number, down: number, select: boolean}} Move */
/** @typedef {{kind: "colour", colour: number} | {kind: "command", command: Command} | Move} Meaning */
/** @typedef {"paint" | "fill" | "select" | "use" | "use_fill" | "paste" | "copy_input" | "clear" | "undo" | "redo" | "wider" | "narrower" | "higher" | "lower" | "next_grid" | "zoom" | "submit"} Command */

/** @type {Readonly<Record<string, [number, number]>>} */
const ARROWS = Object.freeze({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = Object.freeze({
  " ": "use", Enter: "use", p: "paint", f: "use_fill", s: "select", v: "paste", c: "copy_input", x: "clear",
  z: "undo", y: "redo", g: "next_grid", e: "zoom",
});
/** Alt and an arrow change the size, because a grid grows to the right and down. @type {Readonly<Record<string, Command>>} */
const SIZES = Object.freeze({ ArrowUp: "lower", ArrowDown: "higher", ArrowLeft: "narrower", ArrowRight: "wider" });

/** The line of keys as the page shows it. */
export const KEY_LINE = [
  gettext("Arrows: move"), gettext("0–9: colour"), gettext("Space: paint"), gettext("F: fill"), gettext("Shift+arrows: select"),
  gettext("G: next grid"), gettext("E: enlarge"), gettext("V: paste"), gettext("C: copy input"), gettext("X: clear"),
  gettext("Z / Y: undo / redo"), gettext("Alt+arrows: size"), gettext("Ctrl+Enter: submit"),
].join(" · ");

/** What goes on while its key is held. @type {ReadonlySet<Command>} */
export const REPEATED = new Set(["undo", "redo", "lower", "higher", "narrower", "wider"]);

/** @param {KeyboardEvent} event @returns {Meaning | null} */
export function meaning(event) {
  if (event.isComposing) return null;
  const key = keyName(event);
  if (event.altKey) return key in SIZES ? command(SIZES[key]) : null;
  if (event.ctrlKey || event.metaKey) return withControl(key, event.shiftKey);
  if (key in ARROWS) return { kind: "move", right: ARROWS[key][0], down: ARROWS[key][1], select: event.shiftKey };
  if (/^\d$/.test(key)) return { kind: "colour", colour: Number(key) };
  return key in COMMANDS ? command(COMMANDS[key]) : null;
}

/** @param {string} key @param {boolean} shift @returns {Meaning | null} */
function withControl(key, shift) {
  if (key === "Enter") return command("submit");
  if (key === "z") return command(shift ? "redo" : "undo");
  if (key === "y") return command("redo");
  return key === "v" ? command("paste") : null;
}

/** @param {Command} name @returns {Meaning} */
function command(name) {
  return { kind: "command", command: name };
}
