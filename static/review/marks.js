/** What the seek bar and the log point out, from a journal's entries and events. */

import { ACTION } from "../shared/actions.js";
import { eventWords } from "./descriptions.js";

/** Kinds of marks in reading order, with the words of the legend. */
export const KINDS = Object.freeze({
  level: "a level begins",
  reset: "the level is reset",
  unchanged: "an action that changed nothing",
  lost: "the level is lost",
  prompt: "soft-limit prompt shown or answered",
  connection: "disconnected, connected",
  page: "page hidden or left, shown again; colour patterns on or off",
  staff: "staff stepped in",
  fault: "environment fault",
  comment: "a comment",
});

const EVENTS = Object.freeze({
  prompt_shown: "prompt", prompt_answered: "prompt",
  connected: "connection", disconnected: "connection", superseded: "connection", rebuilt: "connection",
  page_hidden: "page", page_shown: "page", window_blurred: "page", window_focused: "page",
  patterns_on: "page", patterns_off: "page",
  environment_fault: "fault",
});

/**
 * @typedef {object} Mark
 * @property {keyof typeof KINDS} kind
 * @property {string} words
 * @property {number} [position]  where it lies, when it is about a frame
 * @property {number} [time]  when it was, when it is not; milliseconds of real time
 */

/**
 * @param {import("./timeline.js").Timeline} timeline
 * @param {any[]} events  of the journal
 * @returns {Mark[]}
 */
export function marksOf(timeline, events) {
  return [
    ...timeline.entries.slice(1).flatMap((entry) => entryMarks(entry, timeline.starts[entry.seq])),
    ...timeline.levels.map(({ level, position }) => ({ kind: "level", words: `level ${level} begins`, position })),
    ...events.flatMap(eventMarks),
  ];
}

/** @returns {Mark} */
export function commentMark({ seconds, author, text, tags }) {
  return { kind: "comment", words: `${author}: ${[text, ...tags].filter(Boolean).join(" · ")}`, time: seconds * 1000 };
}

/** @returns {Mark[]} */
function entryMarks(entry, position) {
  const found = [];
  if (entry.action === ACTION.RESET) found.push({ kind: "reset", words: `level ${entry.level} reset`, position });
  if (!entry.changed) found.push({ kind: "unchanged", words: `action ${entry.seq} changed nothing`, position });
  if (entry.state === "GAME_OVER") found.push({ kind: "lost", words: `level ${entry.level} lost`, position });
  return found;
}

/** @returns {Mark[]} */
function eventMarks(event) {
  const kind = event.staff ? "staff" : EVENTS[event.kind];
  return kind ? [{ kind, words: eventWords(event), time: Math.max(0, event.time) }] : [];
}
