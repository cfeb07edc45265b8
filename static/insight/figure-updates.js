/** Asks for a figure again every five seconds while it is in sight; 304 means that it is unchanged. */

import { poll } from "../shared/polling.js";
import { fetchInTime } from "../shared/requests.js";

/** @import { NewerFigure } from "./types" */

const EVERY_MS = 5000;

/**
 * @param {HTMLElement & {say(sentence: string): void}} figure  with data-source and data-tag
 * @param {(figure: NewerFigure) => Promise<void>} show  called with each newer state
 * @returns {() => void} stops
 */
export function updateFigure(figure, show) {
  let tag = figure.dataset.tag ?? "";
  let inSight = false;
  /** @type {Date | undefined} */
  let last;
  const watching = new IntersectionObserver(([{ isIntersecting }]) => { inSight = isIntersecting; });
  watching.observe(figure);

  /** @param {AbortSignal} signal */
  async function ask(signal) {
    if (!inSight) return;
    const headers = { "If-None-Match": tag };
    const response = await fetchInTime(figure.dataset.source ?? "", { headers, cache: "no-store", signal });
    if (response.status !== 304) {
      if (!response.ok) throw new Error(`status ${response.status}`);
      const newer = await response.json();
      tag = response.headers.get("ETag") ?? "";
      await show(newer);
    }
    last = new Date();
    figure.say("");
  }

  const stop = poll(ask, EVERY_MS, () =>
    figure.say(`Not updated since ${last?.toLocaleTimeString() ?? "this page was opened"}: the server did not answer. Trying again.`));
  return () => {
    watching.disconnect();
    stop();
  };
}
