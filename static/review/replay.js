/** Puts a replay together: the playback, and the views that show its moment or move it. */

import { SIDE } from "../shared/codec.js";
import { drawCells } from "../shared/drawing.js";
import { onDetail } from "../shared/events.js";
import { required } from "../shared/required.js";
import { firstFrame, isHeatKind } from "./heat.js";
import { clockText, wordsOf } from "./descriptions.js";
import { commentMark, marksOf } from "./marks.js";
import { addressOf, momentOf } from "./moment-links.js";
import { MomentStatus } from "./moment-status.js";
import { Playback } from "./playback.js";
import { ReplayBar } from "./replay-bar.js";
import { ReplayCollect } from "./replay-collect.js";
import { ReplayComments } from "./replay-comments.js";
import { ReplayCompare } from "./replay-compare.js";
import { ReplayLog } from "./replay-log.js";
import { ReplayProgress } from "./replay-progress.js";
import { ReplayScreen } from "./replay-screen.js";
import { ReplayTask, frameOf } from "./replay-task.js";
import { TransportControls } from "./transport-controls.js";

/** @import { JournalDocument } from "./types" */

export class Replay {
  /**
   * @param {HTMLElement} player  with the layout of layout.js; its attributes say where comments, collections and other attempts are
   * @param {JournalDocument} journal  with at least one entry
   * @throws {RangeError} if its bytes are not frames
   */
  constructor(player, journal) {
    this.player = player;
    this.journal = journal;
    this.screen = new ReplayScreen(journal);
    this.playback = new Playback(this.screen.timeline);
    this.transport = new TransportControls(player, this.playback);
    this.status = new MomentStatus(player, this.playback, journal);
    this.bar = required(player, "replay-bar", ReplayBar);
    this.progress = required(player, "replay-progress", ReplayProgress);
    this.log = required(player, "replay-log", ReplayLog);
    this.comments = required(player, "replay-comments", ReplayComments);
    this.collections = required(player, "replay-collect", ReplayCollect);
    this.compare = required(player, "replay-compare", ReplayCompare);
    this.task = required(player, "replay-task", ReplayTask);
    this.help = required(player, "dialog.help", HTMLDialogElement);
    this.heat = required(player, "[name=heat]", HTMLSelectElement);
    this.marks = marksOf(this.screen.timeline, journal.events, journal.pauses);
  }

  /** Fills the views and shows the moment that the address names. */
  start() {
    required(this.player, ".screens", HTMLElement).append(this.screen);
    this.log.fill(this.journal.entries, this.journal.events, this.journal.pauses, wordsOf(this.journal));
    this.progress.draw(this.journal.entries, this.journal.fewest);
    this.#startTask();
    this.#offerLevels();
    this.#connectPlayback();
    this.#connectControls();
    this.#drawBar();
    this.goToAddress();
    this.#connectServer();
    this.#followMoment();
  }

  #connectPlayback() {
    const { playback } = this;
    playback.addEventListener("moment", () => this.#showMoment());
    playback.addEventListener("clock", () => this.#drawBar());
    onDetail(this.bar, "seek", (/** @type {number} */ time) => playback.seek(time));
    onDetail(this.progress, "seek", (/** @type {number} */ entry) => playback.goToEntry(entry));
    onDetail(this.log, "seek-entry", (/** @type {number} */ entry) => playback.goToEntry(entry));
    onDetail(this.log, "seek-time", (/** @type {number} */ time) => playback.goToTime(time));
    onDetail(this.comments, "seek-time", (/** @type {number} */ time) => playback.goToTime(time));
    this.comments.addEventListener("change", () => this.#drawBar());
    this.compare.addEventListener("change", () => this.compare.show(playback.moment));
    this.collections.addEventListener("added", () => { this.status.message = "Added to the collection."; });
    this.heat.addEventListener("change", () => this.#changeHeat());
    this.bar.preview = (time) => this.#preview(time);
  }

  #connectControls() {
    /** @type {[string, () => void][]} */
    const actions = [
      [".collect", () => this.collect()],
      [".compare", () => this.compare.open()],
      [".link", () => this.copyLink()],
      [".keys", () => this.help.showModal()],
    ];
    for (const [selector, action] of actions) this.#button(selector).addEventListener("click", action);
  }

  /** A stored recording is nobody's attempt: it has no comments, collections or comparison. */
  #connectServer() {
    const [comments, collect, choices, others] = ["comments", "collect", "choices", "others"].map((name) => this.#attribute(name));
    this.comments.hidden = this.#button(".collect").hidden = comments === "";
    if (comments) this.comments.load(comments);
    this.collections.connect(collect, choices);
    this.comments.actionWord = this.collections.actionWord = wordsOf(this.journal).action;
    this.#button(".compare").hidden = others === "";
    if (others) this.compare.connect(others, this.screen);
  }

  /** Of a static task there is a panel with its grids; heat, and steps of levels, say nothing about one. */
  #startTask() {
    const { task, entries } = this.journal;
    this.task.hidden = !task;
    for (const part of [this.progress, required(this.player, ".heat-choice", HTMLElement)]) part.hidden = Boolean(task);
    this.heat.disabled = Boolean(task);
    if (!task) return;
    this.task.start(task, entries, this.screen, this.#attribute("solution"));
    onDetail(this.task, "seek", (/** @type {number} */ position) => this.playback.goTo(position));
  }

  /** A button for each level, or for each test input at its first moment. */
  #offerLevels() {
    const list = required(this.player, ".levels", HTMLElement);
    const known = new Map(this.playback.timeline.levels.toReversed().map(({ level, position }) => [level, position]));
    for (const [level, position] of [...known].toSorted(([one], [other]) => one - other)) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: String(level) });
      button.setAttribute("aria-label", `To ${wordsOf(this.journal).level} ${level}`);
      const picture = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
      const input = this.journal.task?.tests[level - 1].input;
      drawCells(picture, input ? frameOf(input) : firstFrame(this.screen.timeline, this.screen.frames, level));
      button.prepend(picture);
      button.addEventListener("click", () => this.playback.goTo(position));
      list.append(button);
    }
  }

  /** Shows the moment that the address of the page names. */
  goToAddress() {
    const { position = 0, time, notice } = momentOf(new URL(location.href), this.playback.timeline, this.#attribute("first"), wordsOf(this.journal));
    if (location.hash) this.player.scrollIntoView({ block: "nearest" });
    if (time === undefined) this.playback.goTo(position);
    else this.playback.goToTime(time);
    if (notice) this.status.message = notice;
  }

  /** Puts the address of the moment shown into the address bar and, if the browser allows it, on the clipboard. */
  async copyLink() {
    const link = addressOf(new URL(location.href), this.playback.timeline, this.playback.moment);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link.href);
      this.status.message = "Link copied.";
    } catch {
      this.status.message = "The address bar has the link.";
    }
  }

  comment() {
    this.playback.pause();
    if (this.#attribute("comments")) this.comments.write(this.playback.storedMoment);
  }

  collect() {
    this.playback.pause();
    if (this.#attribute("collect")) this.collections.open(this.playback.storedMoment);
  }

  /** Opens the page that makes a film or a picture, if this page has a link to it. */
  exportMoment() {
    this.playback.pause();
    exportLink()?.click();
  }

  #showMoment() {
    const { playback } = this;
    const { entry, frame } = playback.timeline.positions[playback.position];
    this.screen.show(playback.position);
    this.compare.show(playback.moment);
    this.log.show(entry);
    this.progress.show(entry);
    this.task.show(entry);
    this.bar.show(playback.time, this.status.show());
    this.player.dataset.seq = String(entry);
    this.player.dataset.frame = String(frame);
    this.player.dispatchEvent(new CustomEvent("replay-moment", { detail: { seq: entry } }));
  }

  #changeHeat() {
    this.playback.pause();
    const kind = isHeatKind(this.heat.value) ? this.heat.value : "";
    this.screen.heat = this.compare.heat = kind;
    this.status.message = kind ? `Over the level's first frame: ${this.screen.heatLabel}.` : "";
  }

  #drawBar() {
    const marks = [...this.marks, ...this.comments.comments.map(commentMark)];
    this.bar.draw(this.playback.clock, marks, this.playback.idleLimit);
  }

  /** The frame at a time of the clock, and what it is. */
  #preview(/** @type {number} */ time) {
    const { clock, timeline } = this.playback;
    const words = wordsOf(this.journal);
    const position = clock.at(time);
    const { entry } = timeline.positions[position];
    return { frame: this.screen.frames.at(timeline.positions[position]), text: `${clockText(time)}, ${words.level} ${timeline.levelAt(position)}, ${words.action} ${timeline.entries[entry].seq}` };
  }

  /** The link to that page names in its address, when it is used, the moment shown and how it is played. */
  #followMoment() {
    const link = exportLink();
    if (!link) return;
    const update = () => {
      const address = new URL(link.href);
      for (const [name, value] of Object.entries(this.#linkParameters)) address.searchParams.set(name, String(value));
      link.href = address.href;
    };
    for (const event of ["pointerenter", "pointerdown", "focus", "click"]) link.addEventListener(event, update);
  }

  get #linkParameters() {
    const { playback } = this;
    const { entry, frame } = playback.timeline.positions[playback.position];
    const withinAction = playback.position !== playback.timeline.ends[entry];
    return {
      action: entry, frame: withinAction ? frame + 1 : "", clock: this.transport.clock.value, speed: playback.speed,
      idle: playback.skipsIdle ? playback.idleLimit / 1000 : "",
    };
  }

  #attribute(/** @type {string} */ name) {
    return this.player.getAttribute(name) ?? "";
  }

  #button(/** @type {string} */ selector) {
    return required(this.player, `button${selector}`, HTMLButtonElement);
  }
}

/** @returns {HTMLAnchorElement | null} */
function exportLink() {
  return document.querySelector("a[data-follows-replay]");
}
