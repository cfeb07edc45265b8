/** The page on which environments are played: the socket on one side, the board and its controls on the other. */

import "./page.js";
import "./pause.js";
import "./progress.js";
import "../shared/board.js";
import { ACTION } from "../shared/actions.js";
import { STATE, decodeTurn, encodeAction } from "../shared/codec.js";
import { Connection } from "./connection.js";
import { ConnectionWords } from "./connection-status.js";
import "./controls.js";
import { offers } from "./keys.js";
import "./pattern-switch.js";
import "./prompt-bar.js";
import { listen } from "./presses.js";
import { TurnTaking } from "./turn-taking.js";

const LAST_FRAME_MS = 1200;
const LATE = "One moment…";
const OVER = "This try is over. Press Reset level (R).";
const OBSERVED = Object.freeze({ blur: "window_blurred", focus: "window_focused" });

const find = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector));
const main = find("main");
/** @type {import("../shared/board.js").PlayBoard} */ const board = find("play-board");
/** @type {import("./controls.js").PlayControls} */ const controls = find("play-controls");
/** @type {import("./progress.js").PlayProgress} */ const progress = find("play-progress");
/** @type {import("./pause.js").PlayPause} */ const pause = find("play-pause");
/** @type {import("./pattern-switch.js").PatternSwitch} */ const patterns = find("pattern-switch");
/** @type {import("./prompt-bar.js").PromptBar} */ const promptBar = find("prompt-bar");
/** @type {HTMLElement} */ const status = find(".status");
/** @type {HTMLButtonElement} */ const leave = find(".leave");
/** @type {HTMLDialogElement} */ const leaveDialog = find("dialog");

const connection = new Connection(socketAddress(), decode);
const turns = new TurnTaking(board, sendAction);
/** The open attempt as the last `sitting` described it. @type {any} */
let attempt = null;
/** Counts `sitting` messages, so that a later one overtakes one that still waits for the last frame. */
let sittings = 0;
const words = new ConnectionWords();
/** Whether the journal says that patterns are drawn. */
let patternsTold = false;

connection.addEventListener("sitting", (event) => settle(/** @type {CustomEvent} */ (event).detail));
connection.addEventListener("turn", (event) => {
  turns.show(/** @type {CustomEvent} */ (event).detail, attempt.frames_per_second);
});
connection.addEventListener("prompt", (event) => {
  const { spent_seconds: spent, seconds_left: left } = /** @type {CustomEvent} */ (event).detail;
  showPrompt(spent, left);
});
connection.addEventListener("refusal", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.sequence !== undefined) turns.refused();
});
connection.addEventListener("state", () => {
  const { state } = connection;
  main.dataset.connection = state;
  words.hear(state);
  turns.live = pause.ready = state === "live";
  if (state !== "live" && leaveDialog.open) leaveDialog.close();
  find(".superseded").hidden = state !== "superseded";
  if (state === "superseded") find(".superseded button").focus();
  if (state === "refused") window.location.replace("/");
  tellPatterns();
});
turns.addEventListener("change", render);
turns.addEventListener("dropped", (event) => controls.refuse(/** @type {CustomEvent} */ (event).detail.action));
words.addEventListener("change", render);
patterns.addEventListener("change", () => {
  board.patterns = patterns.on;
  tellPatterns();
});

listen({
  board,
  controls,
  listening: () => main.dataset.stage === "playing" && !leaveDialog.open && connection.state !== "superseded",
  available: () => turns.turn?.available ?? 0,
}, (press) => turns.take(press));

pause.addEventListener("next", () => connection.send({ type: "next" }));
find(".superseded button").addEventListener("click", () => connection.takeBack());
leave.addEventListener("click", () => leaveDialog.showModal());
leaveDialog.addEventListener("close", () => {
  if (leaveDialog.returnValue === "leave") connection.send({ type: "give_up", attempt: attempt.number });
  leaveDialog.returnValue = "";
  if (connection.state === "live") board.focus();
});
promptBar.addEventListener("answer", (event) => {
  const answer = /** @type {CustomEvent} */ (event).detail;
  connection.send({ type: "prompt_answered", attempt: attempt.number, answer });
  board.focus();
});
document.addEventListener("visibilitychange", () => {
  connection.send({ type: "observed", event: document.hidden ? "page_hidden" : "page_shown" });
});
for (const [type, observed] of Object.entries(OBSERVED)) {
  window.addEventListener(type, () => connection.send({ type: "observed", event: observed }));
}

board.patterns = patterns.on;
render();
connection.open();

function socketAddress() {
  return `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}/ws/sitting/`;
}

/** @param {ArrayBuffer} buffer */
function decode(buffer) {
  const turn = decodeTurn(buffer, board.latest);
  if (attempt === null || turn.attempt !== attempt.number) throw new RangeError("a turn of another attempt");
  if (!turn.resync && turn.sequence !== (turns.turn?.sequence ?? -1) + 1) throw new RangeError("a turn is missing");
  return turn;
}

/** @param {import("./presses.js").Press} press @param {number | null} previousPaintMs */
function sendAction(press, previousPaintMs) {
  const { action, input, x, y } = press;
  const sequence = (turns.turn?.sequence ?? 0) + 1;
  const clientTime = performance.timeOrigin + press.timeStamp;
  connection.sendAction(
    encodeAction({ action, input, x, y, attempt: attempt.number, sequence, previousPaintMs, clientTime }),
  );
}

/** Take what the server says about where the sitting stands. */
async function settle(/** @type {any} */ sitting) {
  sittings += 1;
  const mine = sittings;
  if (sitting.stage === "playing") return play(sitting);
  if (leaveDialog.open) leaveDialog.close();
  promptBar.hidden = true;
  await lastFrameSeen();
  if (mine !== sittings) return undefined;
  if (sitting.stage === "over") return window.location.replace("/sitting/");
  attempt = null;
  turns.clear();
  main.dataset.stage = "pause";
  return pause.show(sitting.previous, sitting.session_seconds_left);
}

function play(/** @type {any} */ sitting) {
  const isNew = attempt?.number !== sitting.attempt.number;
  attempt = sitting.attempt;
  if (isNew) {
    turns.clear();
    controls.clear();
  }
  progress.start(attempt.elapsed_seconds);
  if (attempt.prompt) {
    const left = Math.min(attempt.hard_limit_seconds - attempt.elapsed_seconds, sitting.session_seconds_left);
    showPrompt(attempt.elapsed_seconds, left);
  } else {
    promptBar.hidden = true;
  }
  pause.hidden = true;
  if (main.dataset.stage !== "playing") {
    main.dataset.stage = "playing";
    board.focus();
  }
}

/** After a win the last frame stays for a moment. */
async function lastFrameSeen() {
  if (turns.turn?.state !== STATE.WON || turns.turn.resync) return;
  if (board.animating) await new Promise((resolve) => board.addEventListener("rest", resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, LAST_FRAME_MS));
}

/** @param {number} spent  seconds @param {number} left  seconds */
function showPrompt(spent, left) {
  if (promptBar.hidden) connection.send({ type: "prompt_shown", attempt: attempt.number });
  promptBar.show(spent, left);
}

/** A replay is to know what the person saw. */
function tellPatterns() {
  if (connection.state !== "live" || patternsTold === patterns.on) return;
  patternsTold = patterns.on;
  connection.send({ type: "observed", event: patterns.on ? "patterns_on" : "patterns_off" });
}

function render() {
  const { turn } = turns;
  const over = turn?.state === STATE.GAME_OVER && !turns.held;
  status.textContent = words.text || (turns.late ? LATE : over ? OVER : "");
  leave.disabled = turn === null || turn.state === STATE.WON || connection.state !== "live";
  if (turn === null) return;
  controls.offer(turn.available | (1 << ACTION.RESET), turns.accepted);
  controls.glow(ACTION.RESET, over);
  board.pointing = offers(turn.available, ACTION.CLICK);
  if (!turns.held) progress.show(turn.level, attempt.levels, turn.levelsCompleted);
}
