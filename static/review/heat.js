/** Where a level was clicked, for how long the participant stayed there, and which cells changed. */

import { CELLS, SIDE } from "../play/codec.js";

const CLICK = 6;
/** A longer pause says nothing about a cell: the participant may have been away. */
const LONGEST_DWELL_MS = 10_000;

export const HEATS = Object.freeze({
  clicks: "clicks on a cell",
  dwell: "seconds before the next action, on the cell clicked",
  changes: "times a cell changed",
});

/**
 * A value for each cell of a level.
 * @param {keyof typeof HEATS} kind
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{at: (position: {entry: number, frame: number}) => Uint8Array}} frames
 * @param {number} level
 * @returns {Float64Array}
 */
export function heatOf(kind, timeline, frames, level) {
  const heat = new Float64Array(CELLS);
  for (const [index, entry] of timeline.entries.entries()) {
    if (entry.level !== level || entry.seq === 0) continue;
    if (kind === "changes") addChanges(heat, timeline, frames, index);
    else if (entry.action === CLICK) heat[entry.y * SIDE + entry.x] += kind === "clicks" ? 1 : dwell(timeline, index);
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

function dwell(timeline, index) {
  const next = timeline.entries[index + 1];
  return next ? Math.min(LONGEST_DWELL_MS, next.time - timeline.entries[index].time) / 1000 : 0;
}

/** The action that completes a level leads to the next one's first frame, which is no change of this one. */
function addChanges(heat, timeline, frames, index) {
  if (timeline.entries[index].level_completed) return;
  const [before, after] = [index - 1, index].map((entry) => frames.at(timeline.positions[timeline.ends[entry]]));
  for (let cell = 0; cell < CELLS; cell += 1) if (before[cell] !== after[cell]) heat[cell] += 1;
}
