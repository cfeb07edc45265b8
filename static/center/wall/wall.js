/** The page of the wall: connects, keeps the tiles, orders and filters them, opens one large. */

import "../controls.js";
import { nextMark } from "../../shared/arrow-keys.js";
import { onDetail } from "../../shared/events.js";
import { required } from "../../shared/required.js";
import { Filters } from "./filters.js";
import { LargeStation } from "./large.js";
import { RoomControls } from "./room-controls.js";
import { WallSocket } from "./socket.js";
import { arrangement, compare, count, merge } from "./tiles.js";
import { WallTile, write } from "./wall-tile.js";
import { TilesInView } from "./in-view.js";
import { answer, lagWords, stageWords } from "./labels.js";

/** @import { Lag, Tile, WallMessage } from "./types" */

const OLD_AFTER_MS = 3000;

const grid = required(document, "#wall", HTMLElement);
const idleGrid = required(document, "#wall-idle", HTMLElement);
const live = required(document, "#wall-live", HTMLElement);
/** @type {Map<string, Tile>} */
const tiles = new Map();
/** @type {Map<string, WallTile>} */
const shown = new Map();
const filters = new Filters(required(document, "#wall-room", HTMLSelectElement), required(document, "#wall-study", HTMLSelectElement), required(document, "#wall-rehearsals", HTMLInputElement), filtered);
const everybody = new RoomControls(required(document, "#wall-everybody", HTMLDetailsElement), () => filters.group);
const large = new LargeStation(required(document, "#wall-large", HTMLDialogElement));
const socket = new WallSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/wall/`);
const inView = new TilesInView(() => say());
/** The server's clock less this machine's, in milliseconds. */
let ahead = 0;
/** Of each room, and of all of them without a name. @type {Record<string, Lag>} */
let lag = {};

onDetail(socket, "message", (/** @type {WallMessage} */ message) => {
  ahead = message.at - Date.now();
  merge(tiles, message);
  if (message.lag) ({ lag } = message);
  filters.offer([...tiles.values()]);
  draw();
  showAge();
});
socket.addEventListener("refused", () => location.reload()); // to the sign-in page, or to what is missing

function filtered() {
  filters.offer([...tiles.values()]);
  everybody.follow();
  draw();
}

function draw() {
  const now = Date.now() + ahead;
  const chosen = [...tiles.values()].filter((tile) => filters.accepts(tile));
  const sessions = chosen.filter((tile) => tile.session !== null).toSorted(compare);
  const idle = chosen.filter((tile) => tile.session === null).toSorted(compare);
  const counts = count(chosen);
  write(required(document, "#wall-answer", HTMLElement), answer(sessions));
  write(required(document, "#wall-counts", HTMLElement), countWords(counts));
  write(required(document, "#wall-lag", HTMLElement), lagWords(lag[filters.room]));
  required(document, "#wall-empty", HTMLElement).hidden = chosen.length > 0;
  drawIdle(idle);
  drawSessions(sessions, now);
  fit();
  drawLarge(now);
}

function drawSessions(/** @type {Tile[]} */ sessions, /** @type {number} */ now) {
  const keys = new Set(sessions.map((tile) => tile.key));
  for (const [key, element] of shown) {
    if (keys.has(key)) continue;
    element.remove();
    inView.leave(element);
    shown.delete(key);
  }
  const focused = document.activeElement;
  sessions.forEach((tile, index) => {
    const element = elementOf(tile.key);
    if (grid.children[index] !== element) grid.insertBefore(element, grid.children[index] ?? null);
    element.show(tile, now);
  });
  if (focused instanceof HTMLElement && focused !== document.activeElement && grid.contains(focused)) focused.focus({ preventScroll: true });
}

function elementOf(/** @type {string} */ key) {
  let element = shown.get(key);
  if (!element) {
    element = new WallTile();
    element.dataset.key = key;
    shown.set(key, element);
    inView.watch(element);
  }
  return element;
}

function drawIdle(/** @type {Tile[]} */ idle) {
  const texts = idle.map((tile) => `Station ${tile.station}: ${stageWords(tile)}`);
  if (texts.join() === [...idleGrid.children].map((child) => child.textContent).join()) return;
  idleGrid.replaceChildren(...idle.map((tile, index) => {
    const chip = Object.assign(document.createElement("span"), { textContent: texts[index], className: "idle-station" });
    chip.dataset.stage = tile.stage;
    return chip;
  }));
}

/** The largest boards with which every tile is on the screen. */
function fit() {
  const top = grid.getBoundingClientRect().top + window.scrollY;
  const height = window.innerHeight - top - idleGrid.offsetHeight - 8;
  const { board, columns } = arrangement(Math.max(1, shown.size), grid.clientWidth, height, window.devicePixelRatio);
  if (grid.style.getPropertyValue("--board") !== `${board}px`) grid.style.setProperty("--board", `${board}px`);
  if (grid.style.getPropertyValue("--columns") !== String(columns)) grid.style.setProperty("--columns", String(columns));
}

/** Tells the server what is on the screen, the large station too. */
function say() {
  const keys = [...inView.tiles].map((element) => element.dataset.key ?? "");
  const sessions = new Set(keys.flatMap((key) => tiles.get(key)?.session ?? []));
  if (large.session !== null) sessions.add(large.session);
  socket.see([...sessions].toSorted((one, other) => one - other));
}

function drawLarge(/** @type {number} */ now) {
  say();
  const tile = tiles.get(`session-${large.session}`);
  large.show(tile, now, [...tiles.values()].filter((other) => other.urgent && other !== tile && filters.accepts(other)).length);
}

/** @param {ReturnType<typeof count>} counts */
function countWords(counts) {
  const words = {
    playing: "playing", between: "between environments", arriving: "arriving", paused: "paused", lost: "not connected",
    ready: "ready", offline: "offline",
  };
  return Object.entries(words).flatMap(([name, text]) => {
    const number = counts[/** @type {keyof typeof counts} */ (name)];
    return number ? [`${number} ${text}`] : [];
  }).join(" · ");
}

/** Says how old the picture is when it is not live. */
function showAge() {
  const old = socket.heardAt === null ? null : performance.now() - socket.heardAt;
  const isOld = old === null || old > OLD_AFTER_MS;
  document.body.classList.toggle("wall-old", isOld && old !== null);
  const text = old === null ? "" : isOld ? `No connection since ${Math.floor(old / 1000)} s: this picture is old` : "Live";
  write(live, text);
  large.tellAge(isOld ? text : "");
}

function tick() {
  const now = Date.now() + ahead;
  showAge();
  if (document.body.classList.contains("wall-old")) return; // an old picture does not pretend to go on
  for (const element of shown.values()) element.tick(now);
  drawLarge(now);
}

grid.addEventListener("click", (event) => {
  const tile = event.target instanceof Element ? event.target.closest("wall-tile") : null;
  const session = tile instanceof WallTile && tiles.get(tile.dataset.key ?? "")?.session;
  if (session) location.hash = String(session);
});
grid.addEventListener("keydown", (event) => {
  const elements = /** @type {WallTile[]} */ ([...grid.children]);
  const at = elements.findIndex((element) => element.contains(document.activeElement));
  if (at < 0) return;
  const places = elements.map((element) => ({ x: element.offsetLeft, y: element.offsetTop, row: element.offsetTop }));
  const next = nextMark(places, at, event.key);
  if (next === null) return;
  event.preventDefault();
  elements[next].focus();
});
window.addEventListener("resize", fit);
window.addEventListener("hashchange", () => drawLarge(Date.now() + ahead));
setInterval(tick, 1000);
socket.open();
large.followAddress();
