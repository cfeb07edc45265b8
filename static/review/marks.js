/** The marks on the seek bar, from the entries and events of a journal and from comments. */

import { ACTION } from "../shared/actions.js";
import { eventLabel, pauseLabel, submissionLabel } from "./descriptions.js";

/** @import { Timeline } from "./timeline.js" */
/** @import { Comment, Entry, JournalEvent, Pause } from "./types" */

/** The kinds of marks in reading order, with the text of the legend. */
export const KINDS = Object.freeze({
  level: "a level begins",
  reset: "the level is reset",
  unchanged: "an action that changed nothing",
  lost: "the level is lost",
  prompt: "soft-limit prompt shown or answered",
  connection: "disconnected, connected",
  page: "page hidden or left, shown again; colour patterns on or off",
  staff: "a member of staff intervened, or was called",
  pause: "the clock stood still; this time is left out",
  fault: "environment fault",
  right: "a submission that is right",
  wrong: "a submission that is wrong",
  comment: "a comment",
});

/** The kind of mark of each kind of event. @type {Readonly<Record<string, keyof typeof KINDS>>} */
const EVENTS = Object.freeze({
  prompt_shown: "prompt", prompt_answered: "prompt",
  connected: "connection", disconnected: "connection", superseded: "connection", rebuilt: "connection",
  page_hidden: "page", page_shown: "page", window_blurred: "page", window_focused: "page",
  patterns_on: "page", patterns_off: "page",
  environment_fault: "fault", proctor_called: "staff",
});

/** @typedef {{kind: keyof typeof KINDS, label: string, position: number}} FrameMark  about a frame */
/** @typedef {{kind: keyof typeof KINDS, label: string, time: number}} TimeMark  about a time: milliseconds of real time */
/** @typedef {FrameMark | TimeMark} Mark */

/** @param {Timeline} timeline @param {JournalEvent[]} events @param {Pause[]} [pauses] @returns {Mark[]} */
export function marksOf(timeline, events, pauses = []) {
  return [
    ...timeline.entries.slice(1).flatMap((entry) => entryMarks(entry, timeline.starts[entry.seq])),
    ...timeline.levels.map(({ level, position }) => mark("level", levelLabel(timeline, level), position)),
    ...pauses.map((pause) => /** @type {TimeMark} */ ({ kind: "pause", label: pauseLabel(pause), time: pause.time })),
    ...events.flatMap(eventMarks),
  ];
}

/** @returns {TimeMark} */
export function commentMark(/** @type {Comment} */ { seconds, author, text, tags }) {
  return { kind: "comment", label: `${author}: ${[text, ...tags].filter(Boolean).join(" · ")}`, time: seconds * 1000 };
}

function levelLabel(/** @type {Timeline} */ timeline, /** @type {number} */ level) {
  return timeline.entries[0]?.opened ? `test input ${level} opened` : `level ${level} begins`;
}

function entryMarks(/** @type {Entry} */ entry, /** @type {number} */ position) {
  const { submission } = entry;
  if (submission) {
    return [mark(submission.right ? "right" : "wrong", `test input ${entry.level}, ${submissionLabel(submission)}`, position)];
  }
  if (entry.edit) return entry.changed ? [] : [mark("unchanged", `edit ${entry.seq} changed nothing`, position)];
  return [
    ...(entry.action === ACTION.RESET ? [mark("reset", `level ${entry.level} reset`, position)] : []),
    ...(entry.changed ? [] : [mark("unchanged", `action ${entry.seq} changed nothing`, position)]),
    ...(entry.state === "GAME_OVER" ? [mark("lost", `level ${entry.level} lost`, position)] : []),
  ];
}

/** @returns {TimeMark[]} */
function eventMarks(/** @type {JournalEvent} */ event) {
  const kind = event.staff ? "staff" : EVENTS[event.kind];
  return kind ? [{ kind, label: eventLabel(event), time: Math.max(0, event.time) }] : [];
}

/** @param {keyof typeof KINDS} kind @param {string} label @param {number} position @returns {FrameMark} */
function mark(kind, label, position) {
  return { kind, label, position };
}
