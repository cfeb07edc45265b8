// What the wall's socket says (docs/wall.md), for the type checker.

export interface Need {
  code: string;
  label: string;
  /** Milliseconds since 1970; null where that says nothing. */
  since: number | null;
}

/** A tile as the server tells it: everything once, and then what has changed. */
export interface TileNews {
  key: string;
  session: number | null;
  station: number | null;
  room: string;
  stage: string;
  study?: string;
  rehearsal?: boolean;
  participant?: string;
  environment?: string | null;
  number?: number | null;
  levels?: number | null;
  /** What its parts and what is done in them are called: "level" and "action". */
  part?: string | null;
  act?: string | null;
  /** This and what follows up to the round trip, and the board: only for a tile in view. */
  level?: number | null;
  actions?: number | null;
  acted_at?: number | null;
  round_trip_ms?: number | null;
  environment_zero?: number | null;
  session_zero?: number;
  paused_at?: number | null;
  /** Times in which no clock runs because the connection is away, each from when until when. */
  away?: [number, number][];
  link?: "connected" | "lost" | "silent" | "none";
  link_since?: number;
  needs?: Need[];
  urgent?: boolean;
  rank?: number;
  /** Encoded frames in base64, or null: there is no board. */
  board?: string | null;
}

export interface Tile extends Omit<TileNews, "board"> {
  /** The frame on the board; null if there is none. */
  frame: Uint8Array | null;
}

/** Press to paint of the last presses of a room, in milliseconds; `slow` are stations. */
export interface Lag {
  presses: number;
  p50: number;
  p95: number;
  slow: number[];
}

export interface WallMessage {
  type: "all" | "news";
  /** The server's time in milliseconds since 1970. */
  at: number;
  number: number;
  gone?: string[];
  lag?: Record<string, Lag>;
  tiles: TileNews[];
}
