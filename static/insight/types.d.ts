// What figures are made of, for the type checker. `insight/figures` in Python makes what arrives as JSON.

export type Value = string | number | boolean | null;

export interface Column {
  name: string;
  label: string;
  unit: string;
}

/** A figure as its JSON holds it: one object for each row, by column names. `Row` is what its kind needs. */
export interface Figure<Row = Record<string, Value>, Options = Record<string, unknown>> {
  name: string;
  kind: string;
  title: string;
  caption: string;
  columns: Column[];
  rows: Row[];
  empty: string;
  options: Options;
}

/** A newer state of a figure, with the rows of its table as HTML and the height to reserve. */
export type NewerFigure = Figure & { table: string; height: number };

/** Width of the drawing in pixels, and the height that the page has reserved for it; `key` is unique in the page. */
export interface Space {
  width: number;
  height: number;
  key: string;
}

export type Group = string | number | null | undefined;

export interface Point {
  x: number;
  y: number;
}

/** How a group is drawn: an area's `fill`, its edge's `stroke`, `ink` on it, `plain` under a pattern; of lines and dots `colour`, `dash`, `symbol`. */
export interface Style {
  name: Group;
  label: string;
  pattern?: Pattern;
  fill: string;
  plain: string;
  colour: string;
  stroke: string;
  ink: string;
  symbol: import("d3").SymbolType;
  dash: string | null;
}

export type Pattern = "dots" | "bars" | "cross" | "lines" | "stripes";

export type Swatch = "box" | "line" | "symbol" | "tick" | "none";

/** What a legend's swatch takes of a style. */
export type SwatchStyle = Partial<Pick<Style, "fill" | "stroke" | "colour" | "dash" | "symbol">> & { width?: number };

export interface LegendItem {
  label: string;
  swatch: Swatch;
  style?: SwatchStyle;
}

/** A value in a sentence: "41 actions". */
export type Format = (value: number) => string;

/** A drawing by Plot, which knows its scales. */
export type Drawing = SVGSVGElement & { scale(name: string): { apply(value: number): number } | undefined };

/** The last seconds of a person on a level (`playtest/review/journal_document.py`). */
export interface End extends Omit<import("../review/types").JournalDocument, never> {
  /** Seconds from the last action to the end of the attempt; null if the level was completed or the attempt is open. */
  waited: number | null;
}
