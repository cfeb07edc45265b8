// The text messages of docs/wire.md that the server sends, for the type checker.

import type { TaskMessage } from "./tasks/types";

export interface OpenAttempt {
  /** Of this attempt in its session. */
  number: number;
  kind: "interactive" | "task";
  levels: number;
  /** The actions that the environment has, bit i: action i. */
  actions: number;
  frames_per_second: number;
  elapsed_seconds: number;
  /** The limits are null for an internal play. */
  soft_limit_seconds: number | null;
  hard_limit_seconds: number | null;
  /** Whether the question of the soft limit is due and not answered. */
  prompt: boolean;
  may_be_set_aside: boolean;
}

/** A task that is set aside: the number of its attempt, and its first test input to know it by. */
export interface TaskAside {
  attempt: number;
  input: number[][];
}

/** How the last attempt ended. */
export interface PreviousAttempt {
  /** null where the protocol gives no feedback */
  solved: boolean | null;
  cause: string;
}

/** The two questions about the last attempt, and what was answered so far; `token` is what lets the page answer. */
export interface AskedAbout {
  attempt: number;
  token: string;
  difficulty: number | null;
  about: string;
}

export interface SessionInPause {
  type: "session";
  stage: "pause";
  paused: boolean;
  session_seconds_left: number;
  previous: PreviousAttempt | null;
  solved: number;
  debrief: AskedAbout | null;
  aside: TaskAside[];
  /** Whether nothing but that is left to play. */
  only_aside: boolean;
}

export type SessionStatus =
  | { type: "session"; stage: "playing"; paused: boolean; session_seconds_left: number | null; attempt: OpenAttempt }
  | SessionInPause
  | { type: "session"; stage: "over"; paused: boolean };

/** Staff say about how many minutes are left in the session. */
export interface Announcement {
  type: "announcement";
  minutes: number;
}

/** For how long no page was connected, and for how much of that no clock ran. */
export interface Absence {
  type: "absence";
  seconds: number;
  excused_seconds: number;
}

export interface Prompt {
  type: "prompt";
  attempt: number;
  spent_seconds: number;
  seconds_left: number;
}

/** A message that was refused; with a sequence if it was an action. */
export interface Refusal {
  type: "error";
  code: string;
  message: string;
  sequence?: number;
}

/** The static task to continue with. */
export interface TaskReceived {
  type: "task";
  attempt: number;
  sequence: number;
  task: TaskMessage;
  demonstrations: { input: number[][]; output: number[][] }[];
  inputs: number[][][];
}

/** An edit is stored. */
export interface EditedReceived {
  type: "edited";
  attempt: number;
  sequence: number;
  changed: boolean;
  task: TaskMessage;
}

export type ServerMessage = SessionStatus | TaskReceived | EditedReceived | Prompt | Announcement | Absence | Refusal | { type: "probe" } | { type: "rebuilding" } | { type: "pong" };

/** A press on a cell of the board. */
export interface CellPress {
  x: number;
  y: number;
  pointerType: string;
  timeStamp: number;
  /** When the pointer came down. */
  began: number;
}

/** A press of a key cap. */
export interface CapPress {
  action: number;
  timeStamp: number;
  /** When the pointer came down. */
  began: number;
}
