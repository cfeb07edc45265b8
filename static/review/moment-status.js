/** The line that says which moment of a replay is shown, and short messages beside it. */

import { required } from "../shared/required.js";
import { clockText, frameLabel, wordsOf } from "./descriptions.js";

/** @import { Playback } from "./playback.js" */
/** @import { JournalDocument } from "./types" */

/** As staff/local-times.js writes it with seconds. Made once, since every frame writes one. */
const WALL_TIME = new Intl.DateTimeFormat(undefined, {
  month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

export class MomentStatus {
  /**
   * @param {HTMLElement} player  with the layout of layout.js
   * @param {Playback} playback
   * @param {JournalDocument} journal
   */
  constructor(player, playback, journal) {
    this.playback = playback;
    this.pauses = journal.pauses ?? [];
    this.startedAt = Date.parse(journal.started_at);
    this.words = wordsOf(journal);
    this.output = required(player, "output", HTMLOutputElement);
    this.wallTime = required(player, "time", HTMLTimeElement);
    this.wallTime.dataset.seconds = "";
    this.line = required(player, ".message", HTMLElement);
  }

  set message(/** @type {string} */ text) {
    // Writing the same text would lay out the page again at every moment shown.
    if (this.line.textContent !== text) this.line.textContent = text;
  }

  /** Such as "level 1, action 3, frame 2 of 5". */
  get facts() {
    const { position, timeline } = this.playback;
    const shown = timeline.positions[position];
    const entry = timeline.entries[shown.entry];
    const { level, action } = this.words;
    return `${level} ${timeline.levelAt(position)}, ${action} ${entry.seq}${frameLabel(entry, shown)}`;
  }

  /** Milliseconds of the pauses that had ended when the clock of the replay showed a time. */
  #pausedBefore(/** @type {number} */ time) {
    return this.pauses.reduce((sum, pause) => (pause.time < time ? sum + (pause.seconds ?? 0) * 1000 : sum), 0);
  }

  /** Shows the moment, and clears the message. @returns {string} the moment in a line */
  show() {
    const { moment: { time }, timeline } = this.playback;
    const { facts } = this;
    this.output.textContent = `${clockText(time)} of ${clockText(timeline.duration)} · ${facts}`;
    const wallTime = new Date(this.startedAt + time + this.#pausedBefore(time));
    this.wallTime.dateTime = this.wallTime.title = wallTime.toISOString();
    this.wallTime.textContent = WALL_TIME.format(wallTime);
    this.message = "";
    return `${clockText(time)}, ${facts}`;
  }
}
