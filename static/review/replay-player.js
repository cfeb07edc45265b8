/** `<replay-player src="…/journal.json">`: plays an attempt from its journal. The model is `timeline.js`; this is the view. */

import "../play/board.js";
import { Frames } from "./frames.js";
import "./replay-log.js";
import { Timeline } from "./timeline.js";
import { actionWords, clock, inputWords } from "./words.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const LAYOUT = `
  <div class="stage">
    <play-board role="img" aria-label="The board"></play-board>
    <p class="made" aria-hidden="true"></p>
  </div>
  <div class="transport">
    <div class="seek">
      <div class="marks" aria-hidden="true"></div>
      <input type="range" min="0" step="1" value="0" aria-label="Time">
    </div>
    <div class="buttons">
      <button type="button" data-step="level:-1" title="Previous level ([)" aria-label="Previous level">|◀</button>
      <button type="button" data-step="action:-1" title="Previous action (←)" aria-label="Previous action">◀</button>
      <button type="button" class="play" title="Play or pause (space)">Play</button>
      <button type="button" data-step="action:1" title="Next action (→)" aria-label="Next action">▶</button>
      <button type="button" data-step="level:1" title="Next level (])" aria-label="Next level">▶|</button>
      <button type="button" data-step="frame:-1" title="Previous frame (,)">−1 frame</button>
      <button type="button" data-step="frame:1" title="Next frame (.)">+1 frame</button>
      <label>Speed <select>${SPEEDS.map((speed) => `<option value="${speed}">${speed}×</option>`).join("")}</select></label>
    </div>
    <p class="where"><output></output> <time></time></p>
    <p class="levels"><span>Levels</span></p>
    <p class="keys"><kbd>space</kbd> play · <kbd>←</kbd> <kbd>→</kbd> action · <kbd>,</kbd> <kbd>.</kbd> frame ·
      <kbd>[</kbd> <kbd>]</kbd> level · <kbd>↑</kbd> <kbd>↓</kbd> speed</p>
  </div>
  <replay-log tabindex="0" role="region" aria-label="Actions and events"></replay-log>`;
const KEYS = {
  ArrowLeft: "action:-1", ArrowRight: "action:1", ",": "frame:-1", ".": "frame:1", "[": "level:-1", "]": "level:1",
};

class ReplayPlayer extends HTMLElement {
  #position = 0;
  #time = 0;
  #playing = false;
  #painted = 0;

  connectedCallback() {
    this.#load();
    document.addEventListener("keydown", this.#onKey);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    this.#playing = false;
  }

  async #load() {
    try {
      const answer = await fetch(this.getAttribute("src"));
      if (!answer.ok) throw new TypeError(`the server answered ${answer.status}`);
      this.#open(await answer.json());
    } catch (error) {
      const unreadable = error instanceof RangeError;
      this.#say(
        unreadable ? "This journal cannot be read; tell whoever runs the server." : "The journal could not be loaded. Load the page again.",
        unreadable ? "journal_unreadable" : "journal_unavailable",
        error.message,
      );
    }
  }

  #open(journal) {
    if (journal.entries.length === 0) {
      this.#say("There is nothing to replay: the attempt ended before its first frame was shown.");
      return;
    }
    this.frames = new Frames(journal.entries);
    this.timeline = new Timeline(journal.entries, journal.frames_per_second);
    this.journal = journal;
    this.innerHTML = LAYOUT;
    this.#findParts();
    this.#listen();
    this.#drawMarks();
    this.log.fill(journal.entries, journal.events);
    if (journal.entries.length === 1) this.where.before("No action was made: this is the first and only frame. ");
    this.goTo(this.#start());
  }

  #say(words, code = "", details = "") {
    const paragraph = document.createElement("p");
    paragraph.className = code ? "notice bad" : "notice";
    paragraph.setAttribute("role", code ? "alert" : "status");
    paragraph.append(`${words} `);
    if (code) paragraph.append(Object.assign(document.createElement("code"), { textContent: code, title: details }));
    this.replaceChildren(paragraph);
  }

  #findParts() {
    this.board = this.querySelector("play-board");
    this.made = this.querySelector(".made");
    this.range = this.querySelector("input[type=range]");
    this.play = this.querySelector(".play");
    this.speed = this.querySelector("select");
    this.where = this.querySelector("output");
    this.wall = this.querySelector("time");
    this.log = this.querySelector("replay-log");
    this.board.pointing = true;
    this.range.max = String(Math.max(1, Math.ceil(this.timeline.duration)));
    this.speed.value = "1";
  }

  #listen() {
    this.play.addEventListener("click", () => this.toggle());
    this.range.addEventListener("input", () => this.seek(Number(this.range.value)));
    this.log.addEventListener("seek", ({ detail }) => {
      if (detail.time === undefined) this.goTo(this.timeline.ends[detail.entry]);
      else this.seek(detail.time);
    });
    for (const button of this.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    window.addEventListener("hashchange", () => this.goTo(this.#start()));
  }

  /** The position asked for in the address (`#level=3`, `#action=40`), else the first. */
  #start() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const level = this.timeline.levels.find((start) => String(start.level) === wanted.get("level"));
    return level?.position ?? this.timeline.ends[Number(wanted.get("action") ?? 0)] ?? 0;
  }

  #drawMarks() {
    const marks = this.querySelector(".marks");
    const place = (time, name) => {
      const mark = document.createElement("i");
      mark.className = name;
      mark.style.left = `${(100 * time) / Math.max(1, this.timeline.duration)}%`;
      marks.append(mark);
    };
    for (const seq of this.timeline.resets) place(this.timeline.entries[seq].time, "reset");
    for (const { level, position } of this.timeline.levels) {
      place(this.timeline.positions[position].time, "level");
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: String(level) });
      button.setAttribute("aria-label", `To level ${level}`);
      button.addEventListener("click", () => this.goTo(position));
      this.querySelector(".levels").append(button);
    }
  }

  /** Show a position, and its moment on the clock. */
  goTo(/** @type {number} */ position) {
    this.#time = this.timeline.positions[position].time;
    this.#show(position);
  }

  seek(/** @type {number} */ time) {
    this.#time = Math.min(time, this.timeline.duration);
    this.#show(this.timeline.at(this.#time));
  }

  /** @param {string} step  "action:1", "frame:-1", "level:1" */
  step(step) {
    const [unit, count] = step.split(":");
    const move = { action: "byAction", frame: "byFrame", level: "byLevel" }[unit];
    this.pause();
    this.goTo(this.timeline[move](this.#position, Number(count)));
  }

  toggle() {
    if (this.#playing) return this.pause();
    if (this.#time >= this.timeline.duration) this.goTo(0);
    this.#playing = true;
    this.#painted = performance.now();
    this.play.textContent = "Pause";
    requestAnimationFrame(this.#tick);
  }

  pause() {
    this.#playing = false;
    this.play.textContent = "Play";
  }

  #tick = (/** @type {number} */ now) => {
    if (!this.#playing) return;
    const passed = Math.max(0, now - this.#painted) * Number(this.speed.value);
    this.#painted = now;
    this.seek(this.#time + passed);
    if (this.#time >= this.timeline.duration) this.pause();
    else requestAnimationFrame(this.#tick);
  };

  #show(/** @type {number} */ position) {
    this.#position = position;
    const shown = this.timeline.positions[position];
    const entry = this.timeline.entries[shown.entry];
    this.board.show([this.frames.at(shown)], this.journal.frames_per_second);
    this.board.mark(entry.x === null ? null : { x: entry.x, y: entry.y });
    this.made.textContent = [actionWords(entry), inputWords(entry.input)].filter(Boolean).join(" · ");
    this.log.show(shown.entry);
    this.#tell(entry, shown);
  }

  #tell(entry, shown) {
    const [now, end] = [clock(this.#time), clock(this.timeline.duration)];
    const animated = entry.frame_count > 1 ? `, frame ${shown.frame + 1} of ${entry.frame_count}` : "";
    const facts = `level ${this.timeline.levelAt(this.#position)}, action ${entry.seq}${animated}`;
    this.where.textContent = `${now} of ${end} · ${facts}`;
    this.range.value = String(Math.round(this.#time));
    this.range.setAttribute("aria-valuetext", `${now}, ${facts}`);
    const moment = new Date(Date.parse(this.journal.started_at) + this.#time);
    this.wall.dateTime = this.wall.title = moment.toISOString();
    this.wall.textContent = moment.toLocaleTimeString();
    this.dataset.seq = String(entry.seq);
    this.dataset.frame = String(shown.frame);
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (!this.timeline || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("select, input:not([type=range]), textarea")) return;
    if (event.key === " " && !target.matches("button, a, summary")) this.toggle();
    else if (KEYS[event.key]) this.step(KEYS[event.key]);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") this.#changeSpeed(event.key === "ArrowUp" ? 1 : -1);
    else return;
    event.preventDefault();
  };

  #changeSpeed(/** @type {number} */ by) {
    const next = SPEEDS.indexOf(Number(this.speed.value)) + by;
    if (next in SPEEDS) this.speed.value = String(SPEEDS[next]);
  }
}

customElements.define("replay-player", ReplayPlayer);
