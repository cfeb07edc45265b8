/** The tiles as the server tells them: merges news, decodes boards, puts tiles in order, counts them. */

import { decodeFrames } from "../../shared/codec.js";

/** @import { Tile, TileNews, WallMessage } from "./types" */

/**
 * Brings tiles up to date with a message.
 * @param {Map<string, Tile>} tiles  by key
 * @param {WallMessage} message
 */
export function merge(tiles, message) {
  if (message.type === "all") {
    const named = new Set(message.tiles.map((news) => news.key));
    for (const key of tiles.keys()) if (!named.has(key)) tiles.delete(key);
  }
  for (const key of message.gone ?? []) tiles.delete(key);
  for (const news of message.tiles) {
    tiles.set(news.key, merged(tiles.get(news.key), news));
  }
}

/** @returns {Tile} */
function merged(/** @type {Tile | undefined} */ before, /** @type {TileNews} */ { board, ...facts }) {
  const frame = board === undefined ? (before?.frame ?? null) : board && decoded(board, before?.frame ?? null);
  return { ...before, ...facts, frame: frame || null };
}

/** @returns {Uint8Array} */
function decoded(/** @type {string} */ board, /** @type {Uint8Array | null} */ before) {
  const bytes = Uint8Array.from(atob(board), (character) => character.charCodeAt(0));
  return decodeFrames(new DataView(bytes.buffer), before).at(-1) ?? new Uint8Array();
}

/** The order on the wall: who needs help most, then by room and number. Seconds never change it. */
export function compare(/** @type {Tile} */ one, /** @type {Tile} */ other) {
  return place(one) - place(other)
    || (one.rank ?? 0) - (other.rank ?? 0)
    || one.room.localeCompare(other.room, undefined, { numeric: true })
    || (one.station ?? Infinity) - (other.station ?? Infinity) || (one.session ?? 0) - (other.session ?? 0)
    || 0;
}

/** Sessions in progress come before those that have ended. */
function place(/** @type {Tile} */ tile) {
  return tile.stage === "over" ? 1 : 0;
}

/** How many are in which condition. */
export function count(/** @type {Tile[]} */ tiles) {
  const counts = { playing: 0, between: 0, arriving: 0, paused: 0, lost: 0, ready: 0, offline: 0 };
  for (const tile of tiles) {
    if (tile.stage === "ready") counts.ready += 1;
    else if (tile.stage === "offline") counts.offline += 1;
    else if (tile.stage === "over") continue;
    else if (tile.link === "lost" || tile.link === "silent") counts.lost += 1;
    else if (tile.paused_at) counts.paused += 1;
    else if (tile.stage === "playing") counts.playing += 1;
    else if (tile.stage === "pause") counts.between += 1;
    else counts.arriving += 1;
  }
  return counts;
}

const GAP = 8;
/** What a tile has beside its board: facts to the right, a heading above, its padding. */
const FACTS_WIDTH = 128;
const HEAD_HEIGHT = 46;
const LEAST_HEIGHT = 130;
const LARGEST_SCALE = 6;
const LEAST_SCALE = 2;

/**
 * The largest boards with which all tiles fit; the smallest if they never do, and then the page scrolls.
 * @param {number} tiles
 * @param {number} width  CSS pixels
 * @param {number} height
 * @param {number} pixelRatio
 * @returns {{board: number, columns: number}}  the side of a board in CSS pixels
 */
export function arrangement(tiles, width, height, pixelRatio) {
  let found = { board: 0, columns: 1 };
  for (let scale = Math.round(LARGEST_SCALE * pixelRatio); scale >= LEAST_SCALE; scale -= 1) {
    const board = (64 * scale) / pixelRatio;
    const columns = Math.max(1, Math.floor((width + GAP) / (board + FACTS_WIDTH + GAP)));
    const rows = Math.ceil(tiles / columns);
    found = { board, columns };
    if (rows * (Math.max(board, LEAST_HEIGHT) + HEAD_HEIGHT + GAP) <= height + GAP || board <= 64 * LEAST_SCALE) break;
  }
  return found;
}
