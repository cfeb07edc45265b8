// What the server sends to the pages of the arena, for the type checker. `playtest/arena/pages/replay.py` makes the notes.

/** What one action says that it used; costs in dollars. */
export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  total_tokens: number;
  total_cost: number;
  /** 1 if it says a cost. */
  priced: number;
}

export interface Note {
  seq: number;
  /** As the agent sent it: JSON, or any other text. */
  reasoning: string;
  usage: Usage | null;
}
