/** Where a level was clicked, for how long the participant stayed there, and which cells changed. */

import { ACTION } from "../shared/actions.js";
import { CELLS, SIDE } from "../shared/codec.js";

/** A longer pause says nothing about a cell: the participant may have been away. */
const LONGEST_DWELL_MS = 10_000;

export const HEATS = Object.freeze({
  clicks: "clicks on a cell",
  dwell: "seconds before the next action, on the cell clicked",
  changes: "times a cell changed",
});

/** What the values of a level's heat are: where nothing was clicked there, people looked at what they had moved. */
export function heatWords(/** @type {keyof typeof HEATS} */ kind, /** @type {import("./timeline.js").Timeline} */ timeline, /** @type {number} */ level) {
  if (clicked(timeline, level) || kind === "changes") return HEATS[kind];
  if (kind === "clicks") return "nothing was clicked on this level";
  return "seconds after each action, on the cells it changed (no clicks here)";
}

/**
 * A value for each cell of a level. Dwell falls on the cell clicked; on a level without clicks, on the cells that
 * the action before the pause changed, resets left out.
 * @param {keyof typeof HEATS} kind
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{at: (position: {entry: number, frame: number}) => Uint8Array}} frames
 * @param {number} level
 * @returns {Float64Array}
 */
export function heatOf(kind, timeline, frames, level) {
  const heat = new Float64Array(CELLS);
  const byChanges = kind === "dwell" && !clicked(timeline, level);
  for (const [index, entry] of timeline.entries.entries()) {
    if (entry.level !== level || entry.seq === 0) continue;
    if (kind === "changes") addChanges(heat, timeline, frames, index, 1);
    else if (byChanges && entry.action !== ACTION.RESET) addChanges(heat, timeline, frames, index, dwell(timeline, index));
    else if (entry.action === ACTION.CLICK) heat[entry.y * SIDE + entry.x] += kind === "clicks" ? 1 : dwell(timeline, index);
  }
  return heat;
}

/** The level's first frame, over which its heat lies. */
export function firstFrame(timeline, frames, level) {
  const start = timeline.levels.find((found) => found.level === level) ?? timeline.levels[0];
  return frames.at(timeline.positions[start.position]);
}

/** Draw a heat on a canvas of 64 by 64: transparent where there is none, from violet to yellow by its root. */
export function drawHeat(/** @type {HTMLCanvasElement} */ canvas, /** @type {Float64Array} */ heat) {
  const pixels = new ImageData(SIDE, SIDE);
  const most = Math.max(...heat);
  heat.forEach((value, cell) => {
    if (value > 0) pixels.data.set(colour(Math.sqrt(value / most)), cell * 4);
  });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}

/** @returns {number[]} red, green, blue, opacity */
function colour(/** @type {number} */ share) {
  return [70 + 185 * share, 30 + 190 * share * share, 160 - 130 * share, 110 + 120 * share].map(Math.round);
}

function clicked(timeline, level) {
  return timeline.entries.some((entry) => entry.level === level && entry.action === ACTION.CLICK);
}

function dwell(timeline, index) {
  const next = timeline.entries[index + 1];
  return next ? Math.min(LONGEST_DWELL_MS, next.time - timeline.entries[index].time) / 1000 : 0;
}

/** The action that completes a level leads to the next one's first frame, which is no change of this one. */
function addChanges(heat, timeline, frames, index, value) {
  if (timeline.entries[index].level_completed) return;
  const [before, after] = [index - 1, index].map((entry) => frames.at(timeline.positions[timeline.ends[entry]]));
  for (let cell = 0; cell < CELLS; cell += 1) if (before[cell] !== after[cell]) heat[cell] += value;
}
