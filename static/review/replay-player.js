/** `<replay-player src="…/journal.json">`: plays an attempt from its journal. The models are in modules of their own. */

import { PerAction, RealTime } from "./clocks.js";
import { follow, followers } from "./following-links.js";
import { HEATS } from "./heat.js";
import { journalNotice, loadJournal, notice } from "./journal.js";
import { pressed } from "./shortcuts.js";
import { LAYOUT, PARTS, SPEEDS } from "./layout.js";
import { commentMark, marksOf } from "./marks.js";
import { addressOf, momentOf } from "./moment-links.js";
import "./replay-bar.js";
import "./replay-collect.js";
import "./replay-comments.js";
import "./replay-compare.js";
import "./replay-find.js";
import "./replay-help.js";
import "./replay-log.js";
import "./replay-progress.js";
import "./replay-screen.js";
import { clock as clockWords, frameWords } from "./descriptions.js";

const MOVES = { action: "byAction", frame: "byFrame", level: "byLevel" };

class ReplayPlayer extends HTMLElement {
  #position = 0;
  #time = 0;
  #playing = false;
  #painted = 0;

  connectedCallback() {
    this.#load();
    document.addEventListener("keydown", this.#onKey);
    window.addEventListener("resize", this.#fit);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    window.removeEventListener("resize", this.#fit);
    this.pause();
  }

  /** The moment shown: a position, and milliseconds of real time. */
  get moment() {
    const { time } = this.timeline.positions[this.#position];
    return { position: this.#position, time: this.clock instanceof RealTime ? this.#time : time };
  }

  async #load() {
    try {
      this.#open(await loadJournal(this.getAttribute("src")));
    } catch (error) {
      this.replaceChildren(journalNotice(error));
    }
  }

  #open(journal) {
    if (journal.entries.length === 0) {
      this.replaceChildren(notice("There is nothing to replay: the attempt ended before its first frame was shown."));
      return;
    }
    this.innerHTML = LAYOUT;
    this.#findParts();
    this.screen.open(journal);
    this.journal = journal;
    this.timeline = this.screen.timeline;
    this.clock = new RealTime(this.timeline);
    this.marks = marksOf(this.timeline, journal.events);
    this.#listen();
    this.#offerLevels();
    this.log.fill(journal.entries, journal.events);
    this.progress.open(journal.entries, journal.fewest ?? []);
    if (journal.otherwise) this.before(notice(journal.otherwise)); // a finding that differs each time
    if (journal.entries.length === 1) this.where.before("No action was made: this is the first and only frame. ");
    this.#fit();
    this.#drawBar();
    this.#goToAddress();
    const own = this.hasAttribute("comments"); // a stored recording is nobody's attempt
    if (own) this.comments.load(this.getAttribute("comments"));
    this.comments.hidden = this.querySelector(".collect").hidden = !own;
    this.collect.begin(this.getAttribute("collect"), this.getAttribute("choices"));
    this.compare.begin(this.getAttribute("others"), this.screen);
    this.querySelector(".compare").hidden = !this.hasAttribute("others");
    follow(() => this.#watched);
  }

  #findParts() {
    for (const [name, selector] of Object.entries(PARTS)) this[name] = this.querySelector(selector);
  }

  #listen() {
    this.play.addEventListener("click", () => this.toggle());
    this.bar.addEventListener("seek", ({ detail }) => this.seek(detail));
    this.log.addEventListener("seek", ({ detail }) => {
      if (detail.time === undefined) this.goTo(this.timeline.ends[detail.entry]);
      else this.goToTime(detail.time);
    });
    this.progress.addEventListener("seek", ({ detail }) => this.goTo(this.timeline.ends[detail.entry]));
    for (const button of this.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    this.pace.addEventListener("change", () => this.#changeClock());
    this.idle.addEventListener("input", () => this.#drawBar());
    this.heat.addEventListener("change", () => this.#changeHeat());
    this.comments.addEventListener("change", () => this.#drawBar());
    this.comments.addEventListener("seek", ({ detail }) => this.goToTime(detail.seconds * 1000));
    this.collect.addEventListener("added", () => { this.said.textContent = "Added to the collection."; });
    this.compare.addEventListener("change", () => this.compare.show(this.moment));
    this.querySelector(".collect").addEventListener("click", () => this.putIntoCollection());
    this.querySelector(".compare").addEventListener("click", () => this.compare.open());
    this.querySelector(".link").addEventListener("click", () => this.copyLink());
    this.querySelector(".keys").addEventListener("click", () => this.help.toggle());
    window.addEventListener("hashchange", () => this.#goToAddress());
  }

  #offerLevels() {
    for (const { level, position } of this.timeline.levels) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: String(level) });
      button.setAttribute("aria-label", `To level ${level}`);
      button.addEventListener("click", () => this.goTo(position));
      this.querySelector(".levels").append(button);
    }
  }

  #goToAddress() {
    const found = momentOf(new URL(location.href), this.timeline);
    if (location.hash) this.scrollIntoView({ block: "nearest" });
    if ("time" in found) this.goToTime(found.time);
    else this.goTo(found.position);
    if (found.said) this.said.textContent = found.said;
  }

  /** Show a position, and its moment on the clock. */
  goTo(/** @type {number} */ position) {
    this.#time = this.clock.times[position];
    this.#show(position);
  }

  /** Show a moment of real time, whatever clock the replay runs by. */
  goToTime(/** @type {number} */ moment) {
    this.seek(this.clock.of(moment));
  }

  /** Show a time of the clock. */
  seek(/** @type {number} */ time) {
    this.#time = Math.min(time, this.clock.duration);
    this.#show(this.clock.at(this.#time));
  }

  /** @param {string} step  "action:1", "frame:-1", "level:1" */
  step(step) {
    const [unit, count] = step.split(":");
    this.pause();
    this.goTo(this.timeline[MOVES[unit]](this.#position, Number(count)));
  }

  toggle() {
    if (this.#playing) return this.pause();
    if (this.#time >= this.clock.duration) this.goTo(0);
    this.#playing = true;
    this.#painted = performance.now();
    this.play.textContent = "Pause";
    requestAnimationFrame(this.#tick);
  }

  pause() {
    this.#playing = false;
    if (this.play) this.play.textContent = "Play";
  }

  /** Put the address of the moment shown into the address bar, and where the browser lets us, on the clipboard. */
  async copyLink() {
    const link = addressOf(new URL(location.href), this.timeline, this.moment);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link.href);
      this.said.textContent = "Link copied.";
    } catch {
      this.said.textContent = "The address bar has the link.";
    }
  }

  /** Idle stretches longer than this are hatched, and skipped if wanted; milliseconds. */
  get #threshold() {
    return 1000 * Math.max(1, Number(this.idle.value) || 0);
  }

  #tick = (/** @type {number} */ now) => {
    if (!this.#playing) return;
    const passed = Math.max(0, now - this.#painted) * Number(this.speed.value);
    this.#painted = now;
    this.seek(this.clock.advance(this.#time, passed, this.skip.checked ? this.#threshold : Infinity));
    if (this.#time >= this.clock.duration) this.pause();
    else requestAnimationFrame(this.#tick);
  };

  #show(/** @type {number} */ position) {
    this.#position = position;
    const shown = this.timeline.positions[position];
    this.screen.show(position);
    this.compare.show(this.moment);
    this.log.show(shown.entry);
    this.progress.show(shown.entry);
    this.#tell(this.timeline.entries[shown.entry], shown);
  }

  #tell(entry, shown) {
    const { time } = this.moment;
    const [now, end] = [clockWords(time), clockWords(this.timeline.duration)];
    const facts = `level ${this.timeline.levelAt(this.#position)}, action ${entry.seq}${frameWords(entry, shown)}`;
    this.where.textContent = `${now} of ${end} · ${facts}`;
    this.bar.show(this.#time, `${now}, ${facts}`);
    const moment = new Date(Date.parse(this.journal.started_at) + time);
    this.wall.dateTime = this.wall.title = moment.toISOString();
    this.wall.textContent = moment.toLocaleTimeString();
    this.said.textContent = "";
    this.dataset.seq = String(entry.seq);
    this.dataset.frame = String(shown.frame);
  }

  #changeClock() {
    this.clock = this.pace.value === "action" ? new PerAction(this.timeline) : new RealTime(this.timeline);
    this.#drawBar();
    this.goTo(this.#position);
  }

  #changeHeat() {
    this.pause();
    this.screen.heat = this.compare.heat = this.heat.value;
    this.said.textContent = HEATS[this.heat.value] ? `Over the level's first frame: ${this.screen.heatWords}.` : "";
  }

  comment() {
    this.pause();
    if (this.hasAttribute("comments")) this.comments.write(this.#place);
  }

  putIntoCollection() {
    this.pause();
    if (this.hasAttribute("collect")) this.collect.open(this.#place);
  }

  /** To the page that makes a film or a picture, where the page has a link to it. */
  exportMoment() {
    this.pause();
    followers()[0]?.click();
  }

  /** The moment as it is kept: after which action, how many seconds after the first frame. */
  get #place() {
    const { position, time } = this.moment;
    return { seq: this.timeline.positions[position].entry, seconds: Math.ceil(time) / 1000 };
  }

  /** What is watched and how, as the page of films and pictures reads it. */
  get #watched() {
    const { entry, frame } = this.timeline.positions[this.#position];
    const inside = this.#position !== this.timeline.ends[entry];
    const [clock, speed] = [this.pace.value, this.speed.value];
    return { action: entry, frame: inside ? frame + 1 : "", clock, speed, idle: this.skip.checked ? this.#threshold / 1000 : "" };
  }

  #drawBar() {
    this.bar.draw(this.clock, [...this.marks, ...this.comments.comments.map(commentMark)], this.#threshold);
  }

  /** The player fills what is left of the window under the page's head; below much else, all of the window. */
  #fit = () => {
    const above = this.getBoundingClientRect().top + window.scrollY;
    this.style.setProperty("--above", `${above > window.innerHeight / 2 ? 0 : Math.ceil(above)}px`);
  };

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (this.timeline && pressed(event, this)) event.preventDefault();
  };

  changeSpeed(/** @type {number} */ by) {
    const next = SPEEDS.indexOf(Number(this.speed.value)) + by;
    if (next in SPEEDS) this.speed.value = String(SPEEDS[next]);
  }

  /** The next choice of a list, the first after the last. */
  choose(/** @type {HTMLSelectElement} */ list) {
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    list.dispatchEvent(new Event("change"));
  }
}

customElements.define("replay-player", ReplayPlayer);
