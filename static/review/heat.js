/** Heat maps of a level: where it was clicked, how long the participant stayed there, which cells changed. */

import { ACTION } from "../shared/actions.js";
import { CELLS, SIDE } from "../shared/codec.js";

/** @import { Timeline } from "./timeline.js" */
/** @import { Position } from "./types" */

/** A longer pause says nothing about a cell: the participant may have been away. */
const LONGEST_DWELL_MS = 10_000;

/** @typedef {"clicks" | "dwell" | "changes"} HeatKind */
/** @typedef {{at: (position: Position) => Uint8Array}} FrameSource */

/** @type {Readonly<Record<HeatKind, string>>} */
const HEATS = Object.freeze({
  clicks: "clicks on a cell",
  dwell: "seconds before the next action, on the cell clicked",
  changes: "times a cell changed",
});

/** @returns {name is HeatKind} */
export function isHeatKind(/** @type {string} */ name) {
  return name in HEATS;
}

/** What the heat of a level shows. @param {HeatKind} kind @param {Timeline} timeline @param {number} level */
export function heatLabel(kind, timeline, level) {
  if (clicked(timeline, level) || kind === "changes") return HEATS[kind];
  if (kind === "clicks") return "nothing was clicked on this level";
  return "seconds after each action, on the cells it changed (no clicks here)";
}

/**
 * A value for each cell of a level. Dwell counts for the cell clicked; on a level without clicks, for the cells that the action before
 * the pause changed, except after a reset.
 * @param {HeatKind} kind
 * @param {Timeline} timeline
 * @param {FrameSource} frames
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
    else if (entry.x !== null && entry.y !== null) heat[entry.y * SIDE + entry.x] += kind === "clicks" ? 1 : dwell(timeline, index);
  }
  return heat;
}

/** The first frame of a level, over which its heat lies. @param {Timeline} timeline @param {FrameSource} frames @param {number} level */
export function firstFrame(timeline, frames, level) {
  const start = timeline.levels.find((found) => found.level === level) ?? timeline.levels[0];
  return frames.at(timeline.positions[start.position]);
}

/** Draws a heat on a canvas of 64 by 64: transparent where it is zero, from violet to yellow by its square root. */
export function drawHeat(/** @type {HTMLCanvasElement} */ canvas, /** @type {Float64Array} */ heat) {
  const pixels = new ImageData(SIDE, SIDE);
  const most = Math.max(...heat);
  heat.forEach((value, cell) => {
    if (value > 0) pixels.data.set(colour(Math.sqrt(value / most)), cell * 4);
  });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}

/** The end of a heat's scale, which begins at 0; "" where there is no heat. @param {Float64Array} heat */
export function heatScale(heat) {
  const most = Math.max(...heat);
  return most > 0 ? new Intl.NumberFormat("en", { maximumFractionDigits: 1 }).format(most) : "";
}

/** @returns {number[]} red, green, blue, opacity */
function colour(/** @type {number} */ share) {
  return [70 + 185 * share, 30 + 190 * share * share, 160 - 130 * share, 110 + 120 * share].map(Math.round);
}

function clicked(/** @type {Timeline} */ timeline, /** @type {number} */ level) {
  return timeline.entries.some((entry) => entry.level === level && entry.action === ACTION.CLICK);
}

/** Seconds from an action to the next. */
function dwell(/** @type {Timeline} */ timeline, /** @type {number} */ index) {
  const next = timeline.entries[index + 1];
  return next ? Math.min(LONGEST_DWELL_MS, next.time - timeline.entries[index].time) / 1000 : 0;
}

/**
 * Adds a value to each cell that an action changed. An action that completes a level shows the next level, which is not a change.
 * @param {Float64Array} heat
 * @param {Timeline} timeline
 * @param {FrameSource} frames
 * @param {number} index
 * @param {number} value
 */
function addChanges(heat, timeline, frames, index, value) {
  if (timeline.entries[index].level_completed) return;
  const [before, after] = [index - 1, index].map((entry) => frames.at(timeline.positions[timeline.ends[entry]]));
  for (let cell = 0; cell < CELLS; cell += 1) if (before[cell] !== after[cell]) heat[cell] += value;
}
