/** Tasks as the page has them, and as the server sends them (docs/wire.md). */

import type { Grid, Rectangle } from "./grids.js";

export type { Grid, Rectangle };

/** A task; the outputs of its test pairs stay on the server, except for those of the tutorial. */
export interface TaskContent {
  demonstrations: readonly { input: Grid; output: Grid }[];
  tests: readonly { input: Grid; output?: Grid }[];
}

/** How many submissions a test input takes: the first `tries` count, it is closed after `most`, with `feedback` by a right one. */
export interface Submissions {
  tries: number;
  most: number;
  feedback: boolean;
}

export interface Submission {
  /** null without feedback */
  right: boolean | null;
  counted: boolean;
}

/** One test input as this window knows it. */
export interface InputState {
  grid: Grid;
  past: readonly Grid[];
  future: readonly Grid[];
  submissions: readonly Submission[];
  /** The grid of the last one. */
  submitted: Grid | null;
  closed: boolean;
  solved: boolean | null;
  /** Whether the server has grids before those of `past`, or after those of `future`. */
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface TaskState {
  /** index of the test input in work */
  open: number;
  inputs: readonly InputState[];
}

export interface InputMessage {
  grid: Grid;
  submissions: Submission[];
  submitted: Grid | null;
  closed: boolean;
  solved: boolean | null;
  can_undo: boolean;
  can_redo: boolean;
}

export interface TaskMessage {
  open: number;
  finished: boolean;
  inputs: InputMessage[];
  tries: number;
  most_submissions: number;
  feedback: boolean;
}

/** Where the cells of a paste come from; `pair` counts from 1 and belongs to demonstrations. */
export interface Part {
  from: "input" | "output" | "demo_input" | "demo_output";
  pair?: number;
  rect: Rectangle;
}

export type Edit =
  | { op: "resize"; height: number; width: number }
  | { op: "paint"; colour: number; cells: readonly number[] }
  | { op: "fill"; colour: number; cell: number }
  | { op: "copy_input" }
  | { op: "clear" }
  | ({ op: "paste"; cell: number } & Part)
  | { op: "undo" }
  | { op: "redo" }
  | { op: "open"; input: number }
  | { op: "submit" };
