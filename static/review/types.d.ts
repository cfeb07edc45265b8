import type { Edit, TaskContent } from "../play/tasks/types";

// What the server sends to the replay page, for the type checker. `playtest/review/journal_document.py` makes the journal.

export type State = "NOT_FINISHED" | "WIN" | "GAME_OVER";

/** One entry of the journal: an action and the turn it led to; entry 0 is the opening frame. */
export interface Entry {
  seq: number;
  /** Less than 0 where only frames were recorded. */
  action: number;
  /** The cell of a click. */
  x: number | null;
  y: number | null;
  /** On which the action was made, from 1. */
  level: number;
  level_completed: boolean;
  /** After the action. */
  levels_completed: number;
  state: State;
  changed: boolean;
  input: string;
  /** Milliseconds since the opening frame. */
  time: number;
  /** When it was pressed: milliseconds since 1970 by the station's clock. */
  client_time: number | null;
  /** Milliseconds that the entry before took from press to painted frame. */
  previous_paint: number | null;
  paint?: number | null;
  screen_age?: number | null;
  queued?: number | null;
  frame_count: number;
  /** The cell changes of docs/wire.md in base 64. */
  frames: string;
  /** Only of a static task, where `level` is the test input: what was done; null of the opening. */
  edit?: Edit | null;
  /** Only of a static task: what the edit did, such as "painted 4 cells red". */
  label?: string | null;
  /** Only of a static task: the test input that is shown after it, from 1. */
  opened?: number;
  submission?: Submission | null;
}

/** A submission for a test input of a static task. */
export interface Submission {
  /** Among those for its test input, from 1. */
  number: number;
  right: boolean;
  counted: boolean;
}

/** Staff had paused the session: the clock of the replay leaves this time out. */
export interface Pause {
  /** When it began: milliseconds since the opening frame. */
  time: number;
  /** Its length; null while it lasts. */
  seconds: number | null;
}

export interface JournalEvent {
  kind: string;
  /** Milliseconds since the opening frame, without pauses. */
  time: number;
  details: Record<string, unknown>;
  /** What staff did, or that somebody called them. */
  sentence?: string | null;
  /** The name of the member of staff who caused it. */
  staff: string | null;
}

export interface JournalDocument {
  frames_per_second: number;
  started_at: string;
  /** None in a recording. */
  pauses?: Pause[];
  entries: Entry[];
  events: JournalEvent[];
  /** The fewest actions known for each level. */
  fewest: (number | null)[];
  /** Only of a static task: its pairs, without the solutions. */
  task?: TaskContent;
  /** Only of a recording: that it now plays differently, in a sentence. */
  otherwise?: string;
}

/** A frame of an entry. */
export interface Position {
  entry: number;
  frame: number;
  /** Milliseconds from the opening frame until it was shown. */
  time: number;
  /** False if the next action ended the animation before this frame. */
  seen: boolean;
}

/** The position that shows the first frame of a level. A test input of a task begins whenever it is opened. */
export interface LevelStart {
  level: number;
  position: number;
}

/** A position, and milliseconds of real time, which may lie between two positions. */
export interface Moment {
  position: number;
  time: number;
}

/** A moment as it is stored: after which entry, how many seconds after the opening frame. */
export interface StoredMoment {
  seq: number;
  seconds: number;
}

/** A range of milliseconds. */
export interface Range {
  from: number;
  to: number;
}

export interface Comment extends StoredMoment {
  id: number;
  text: string;
  tags: string[];
  author: string;
  /** Whether the reader wrote it. */
  mine: boolean;
  created_at: string;
  changed_at: string | null;
}

export interface Collection {
  id: number;
  name: string;
}

/** Another attempt, or the winning recording, that a replay can be compared with. `with` is its name in addresses. */
export interface OtherReplay {
  with: string;
  label: string;
  /** The address of its journal. */
  journal: string;
  /** Whether it is a run of an agent. */
  agent: boolean;
}

export interface BestRun {
  with: string;
  level: number;
  label: string;
}
