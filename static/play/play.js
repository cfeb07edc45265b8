/**
 * The page on which environments are played: connects the socket with the board, its controls and the other parts.
 * The attributes `data-socket`, `data-over` and `data-refused` of <main> are its addresses.
 */

import "./page.js";
import { ACTION } from "../shared/actions.js";
import { PlayBoard } from "../shared/board.js";
import { STATE, decodeTurn, encodeAction } from "../shared/codec.js";
import { onDetail } from "../shared/events.js";
import { offerFull } from "../shared/full-screen.js";
import { required } from "../shared/required.js";
import { gettext } from "../shared/catalogue.js";
import { ConnectionStatus, PausedCover, PlayProgress, PromptBar, TimeAnnouncement } from "./notices.js";
import { Connection } from "./connection.js";
import { PlayControls, anotherScreen, listen } from "./controls.js";
import { offers } from "./keys.js";
import { PageLayout } from "./layout.js";
import { keepPicture } from "./debrief.js";
import { PatternSwitch } from "./pattern-switch.js";
import { PlayPause } from "./pause.js";
import { TaskPlay, whole } from "./tasks/task-play.js";
import { IntentGate, TurnTaking } from "./turn-taking.js";

/** @import { Turn } from "../shared/codec.js" */
/** @import { Press } from "./controls.js" */
/** @import { Absence, Announcement, EditedReceived, OpenAttempt, Prompt, Refusal, SessionStatus, TaskReceived } from "./types" */

const LAST_FRAME_MS = 1200;
/** So long before a limit the page says that it comes. */
const LAST_SECONDS = 60;
const LATE = gettext("One moment…");
/** From so many seconds on an animation is long, which is told once in a session. */
const LONG_SECONDS = 1.5;
const TOLD = "playtest-animation-told";
const SKIPPABLE = gettext("You need not wait: your next press shows the rest at once.");
const OVER = gettext("This try is over. Press Reset level (R).");
const OBSERVED = Object.freeze({ blur: "window_blurred", focus: "window_focused" });

const main = required(document, "main", HTMLElement);
const board = required(main, "play-board", PlayBoard);
const controls = required(main, "play-controls", PlayControls);
const progress = required(main, "play-progress", PlayProgress);
const pause = required(main, "play-pause", PlayPause);
const patterns = required(main, "pattern-switch", PatternSwitch);
/** Not on the page of an internal play. */
const callStaff = main.querySelector("call-staff");
const promptBar = required(main, "prompt-bar", PromptBar);
const status = required(main, ".status", HTMLElement);
const setAside = required(main, ".set-aside", HTMLButtonElement);
const leave = required(main, ".leave", HTMLButtonElement);
const leaveDialog = required(main, "dialog", HTMLDialogElement);
const superseded = required(main, ".superseded", HTMLElement);
const announcement = required(main, "time-announcement", TimeAnnouncement);
const cover = required(document, "paused-cover", PausedCover);
const takeBack = required(superseded, "button", HTMLButtonElement);

const connection = new Connection(socketAddress(), decode, showTurn);
const connectionStatus = new ConnectionStatus();
const gate = new IntentGate();
const turns = new TurnTaking(board, gate, sendAction);
const layout = new PageLayout(main, board, controls);
const task = new TaskPlay(required(main, ".foot", HTMLElement), connection, gate);
/** What each kind of environment is played on. */
const surfaces = {
  interactive: { taken: turns, focus: () => board.focus(), keys: true, edited: () => null },
  task: { taken: task, focus: () => task.focus(), keys: false, edited: () => task.state },
};
/** That of the open attempt. @type {typeof surfaces.interactive | typeof surfaces.task} */
let surface = surfaces.interactive;
/** The open attempt as the last `session` described it. @type {OpenAttempt | null} */
let attempt = null;
/** Counts `session` messages, so that a later one overtakes one that still waits for the last frame. */
let statuses = 0;
/** Whether the open task is set aside as soon as the server has every edit. */
let settingAside = false;
/** The message that leaves, if the person says so in the dialog. @type {{type: string, answer?: string}} */
let leaving = { type: "give_up" };
/** @type {number | undefined} */
let lastMinute;
/** Whether it is told now that an animation need not be seen to its end. */
let skippable = false;
/** Whether the journal says that patterns are drawn. */
let patternsReported = false;

onDetail(connection, "session", (/** @type {SessionStatus} */ told) => showSession(told));
turns.addEventListener("shown", () => {
  main.dataset.shown = String(turns.turn?.sequence);
  if (turns.turn?.state === STATE.WON) reportPaint();
});
onDetail(connection, "task", (/** @type {TaskReceived} */ message) => {
  if (message.attempt !== attempt?.number) return;
  task.receive(message);
  anotherScreen(gate);
  if (document.activeElement === document.body) task.focus();
  main.dataset.shown = String(message.sequence);
});
onDetail(connection, "edited", (/** @type {EditedReceived} */ message) => {
  task.edited(message);
  main.dataset.shown = String(message.sequence);
});
onDetail(connection, "prompt", (/** @type {Prompt} */ prompt) => showPrompt(prompt.spent_seconds, prompt.seconds_left));
onDetail(connection, "announcement", (/** @type {Announcement} */ { minutes }) => announcement.say(minutes));
onDetail(connection, "absence", (/** @type {Absence} */ { seconds, excused_seconds }) => announcement.tellAbsence(seconds, excused_seconds));
onDetail(connection, "refusal", (/** @type {Refusal} */ refusal) => {
  // The server is of another version than this page, as after the way back of an upgrade, and has a page that it can read.
  if (refusal.code === "malformed_message") window.location.reload();
  if (refusal.sequence === undefined) return;
  surface.taken.refused();
});
connection.addEventListener("state", () => {
  const { state } = connection;
  main.dataset.connection = state;
  connectionStatus.update(state);
  if (state === "superseded") cover.shown = false;
  acceptPresses();
  if (state === "reconnecting" || state === "superseded") stopClock();
  if (state !== "live" && state !== "waiting" && leaveDialog.open) leaveDialog.close();
  superseded.hidden = state !== "superseded";
  if (state === "superseded") takeBack.focus();
  if (state === "refused") window.location.replace(main.dataset.refused ?? "/");
  reportPatterns();
});
turns.addEventListener("change", render);
board.addEventListener("rest", () => {
  skippable = false;
  render();
});
task.addEventListener("change", () => {
  render();
  sendAside();
});
onDetail(turns, "dropped", (/** @type {Press} */ { action, x, y }) => {
  controls.refuse(action);
  if (x !== undefined && y !== undefined) board.ring({ x, y }, false);
});
connectionStatus.addEventListener("change", render);
patterns.addEventListener("change", () => {
  drawAsChosen();
  reportPatterns();
});

listen({
  board,
  controls,
  gate,
  listening: () => playing() && surface.keys,
  elsewhere: (event, verdict) => {
    if (playing()) task.keyed(event, verdict);
  },
  available: () => turns.turn?.available ?? 0,
}, (press) => turns.take(press), (press) => turns.refuse(press));
pause.gate = gate;

pause.addEventListener("next", () => connection.send({ type: "next" }));
pause.addEventListener("finish", () => connection.send({ type: "finish" }));
onDetail(pause, "take-up", (/** @type {number} */ number) => connection.send({ type: "take_up", attempt: number }));
offerFull(required(main, ".full-screen", HTMLButtonElement), () => {
  anotherScreen(gate);
  if (main.dataset.stage === "playing" && !leaveDialog.open) surface.focus();
});
setAside.addEventListener("click", () => {
  settingAside = true;
  render();
  sendAside();
});
takeBack.addEventListener("click", () => connection.takeBack());
callStaff?.addEventListener("called", () => {
  if (main.dataset.stage === "playing") surface.focus();
});
leave.addEventListener("click", () => askToLeave({ type: "give_up" }));
leaveDialog.addEventListener("close", () => {
  anotherScreen(gate);
  if (leaveDialog.returnValue === "leave") connection.send({ ...leaving, attempt: attempt?.number });
  leaveDialog.returnValue = "";
  if (connection.state === "live") surface.focus();
});
promptBar.addEventListener("finish", () => askToLeave({ type: "prompt_answered", answer: "finish" }));
promptBar.addEventListener("continue", () => {
  connection.send({ type: "prompt_answered", attempt: attempt?.number, answer: "continue" });
  surface.focus();
});
document.addEventListener("visibilitychange", () => {
  connection.send({ type: "observed", event: document.hidden ? "page_hidden" : "page_shown" });
});
for (const [type, observed] of Object.entries(OBSERVED)) {
  window.addEventListener(type, () => connection.send({ type: "observed", event: observed }));
}

for (const left of ["beforeunload", "pagehide"]) window.addEventListener(left, () => {
  task.leave();
  reportPaint();
});

drawAsChosen();
render();
connection.open();
window.addEventListener("pageshow", ({ persisted }) => persisted && connection.claim());

function playing() {
  return main.dataset.stage === "playing" && cover.hidden && !leaveDialog.open && connection.state !== "superseded";
}

function socketAddress() {
  return `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}${main.dataset.socket}`;
}

/** @param {ArrayBuffer} buffer */
function decode(buffer) {
  const turn = decodeTurn(buffer, board.latest);
  if (attempt === null || turn.attempt !== attempt.number) throw new RangeError("a turn of another attempt");
  if (!turn.resync && turn.sequence !== (turns.turn?.sequence ?? -1) + 1) throw new RangeError("a turn is missing");
  return turn;
}

/** What cannot be undone is asked first. */
function askToLeave(/** @type {{type: string, answer?: string}} */ message) {
  leaving = message;
  leaveDialog.showModal();
  anotherScreen(gate);
}

function showTurn(/** @type {Turn} */ turn) {
  if (!attempt) return;
  turns.show(turn, attempt.frames_per_second);
  const long = board.animating && turn.frames.length > LONG_SECONDS * attempt.frames_per_second;
  if (!long || sessionStorage.getItem(TOLD)) return;
  sessionStorage.setItem(TOLD, "yes");
  skippable = true;
  render();
}

/** @param {Press} press @param {{previousPaintMs: number | null, queuedMs: number}} measured */
function sendAction(press, measured) {
  if (attempt === null) return;
  const { action, input, x, y, screenAge } = press;
  const sequence = (turns.turn?.sequence ?? 0) + 1;
  const clientTime = performance.timeOrigin + press.timeStamp;
  connection.sendAction(
    encodeAction({ action, input, x, y, attempt: attempt.number, sequence, clientTime, screenAge, ...measured }),
  );
}

/** Shows the stage of the session. */
async function showSession(/** @type {SessionStatus} */ told) {
  statuses += 1;
  const own = statuses;
  coverIf(told.paused);
  if (told.stage === "playing") return play(told.attempt, told.session_seconds_left, !told.paused);
  if (leaveDialog.open) leaveDialog.close();
  promptBar.hidden = true;
  await lastFrameSeen();
  if (own !== statuses) return undefined;
  reportPaint();
  if (attempt) keepPicture(attempt.number, turns.turn && board);
  if (told.stage === "over") return window.location.replace(main.dataset.over ?? "/");
  attempt = null;
  turns.clear();
  task.clear();
  main.dataset.stage = "pause";
  anotherScreen(gate);
  return pause.show(told);
}

function sendAside() {
  if (!settingAside || !task.stored || attempt === null) return;
  settingAside = false;
  connection.send({ type: "set_aside", attempt: attempt.number });
}

/** Covers the page while the session is paused: the focus stays where it was. */
function coverIf(/** @type {boolean} */ paused) {
  if (paused && leaveDialog.open) {
    leaveDialog.close();
    surface.focus();
  }
  if (cover.shown !== paused) anotherScreen(gate);
  cover.shown = paused;
  acceptPresses();
}

/** The page is cut off: whether time is charged, and how much, the server says when it is back. */
function stopClock() {
  progress.stop();
  clearTimeout(lastMinute);
}

function acceptPresses() {
  turns.live = task.live = pause.ready = connection.state === "live" && !cover.shown;
}

/** @param {OpenAttempt} open @param {number | null} sessionSecondsLeft @param {boolean} running  false during a pause */
function play(open, sessionSecondsLeft, running) {
  const isNew = attempt?.number !== open.number;
  if (isNew) reportPaint();
  attempt = open;
  if (isNew) {
    if (leaveDialog.open) leaveDialog.close();
    turns.clear();
    task.clear();
    controls.clear();
    controls.offer(open.actions | (1 << ACTION.RESET), 0);
    main.dataset.kind = open.kind;
    surface = surfaces[open.kind];
    settingAside = false;
  }
  setAside.hidden = !open.may_be_set_aside;
  progress.start(open.elapsed_seconds, running);
  const left = Math.min((open.hard_limit_seconds ?? Infinity) - open.elapsed_seconds, sessionSecondsLeft ?? Infinity);
  clearTimeout(lastMinute);
  if (running && left !== Infinity) lastMinute = setTimeout(tellLastMinute, Math.max(0, left - LAST_SECONDS) * 1000, left);
  if (!open.prompt) promptBar.hidden = true;
  else if (running) showPrompt(open.elapsed_seconds, left);
  pause.hidden = true;
  const begins = main.dataset.stage !== "playing";
  main.dataset.stage = "playing";
  layout.arrange();
  if (begins || document.activeElement === document.body) surface.focus();
}

/** The limit cuts an animation or a thought short: it is announced. @param {number} left  seconds when it was planned */
function tellLastMinute(left) {
  if (connection.state !== "live" || attempt === null) return;
  announcement.tell(left < LAST_SECONDS ? gettext("Less than a minute is left for this game.") : gettext("One minute is left for this game."));
}

/** Waits until the last frame of a won environment has been shown for a moment. */
async function lastFrameSeen() {
  if (!task.finished && (turns.turn?.state !== STATE.WON || turns.turn.resync)) return;
  if (board.animating) await new Promise((resolve) => board.addEventListener("rest", resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, LAST_FRAME_MS));
}

/** @param {number} spent  seconds @param {number} left  seconds */
function showPrompt(spent, left) {
  if (promptBar.hidden) connection.send({ type: "prompt_shown", attempt: attempt?.number });
  promptBar.show(spent, left);
}

/** Reports how long the last action took, if none will follow that says so. */
function reportPaint() {
  const unsaid = attempt && surface.taken.takeUnsaid();
  if (!unsaid) return;
  connection.send({ type: "painted", attempt: attempt?.number, sequence: unsaid.sequence, paint_ms: whole(unsaid.paintMs) });
}

function drawAsChosen() {
  board.patterns = task.patterns = pause.patterns = patterns.on;
  board.softer = patterns.softer;
}

/** Reports whether patterns are drawn, so that the journal shows what the participant saw. */
function reportPatterns() {
  if (connection.state !== "live" || patternsReported === patterns.on) return;
  patternsReported = patterns.on;
  connection.send({ type: "observed", event: patterns.on ? "patterns_on" : "patterns_off" });
}

function render() {
  const { turn } = turns;
  const over = turn?.state === STATE.GAME_OVER && !turns.held;
  status.textContent = connectionStatus.text || (turns.late ? LATE : over ? OVER : skippable ? SKIPPABLE : "");
  const edited = surface.edited();
  const ended = edited === null ? turn === null || turn.state === STATE.WON : task.finished;
  leave.disabled = ended || connection.state !== "live";
  setAside.disabled = leave.disabled || settingAside;
  if (edited) progress.showInputs(edited.open + 1, edited.inputs);
  if (turn === null) return;
  controls.offer(turn.available | (1 << ACTION.RESET), turns.accepted);
  controls.glow(ACTION.RESET, over);
  board.pointing = offers(turn.available, ACTION.CLICK);
  if (attempt && !turns.held) progress.show(turn.level, attempt.levels, turn.levelsCompleted);
}
