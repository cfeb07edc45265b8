/** Asks for a figure again while it is in sight; 304 means that it is unchanged. */

/** @import { NewerFigure } from "./types" */

const EVERY_MS = 5000;

export class FigureUpdates {
  /**
   * @param {HTMLElement & {say(sentence: string): void}} figure  with data-source and data-tag
   * @param {(figure: NewerFigure) => Promise<void>} show  called with each newer state
   */
  constructor(figure, show) {
    this.figure = figure;
    this.show = show;
    this.tag = figure.dataset.tag ?? "";
    this.stopped = new AbortController();
    this.watching = new IntersectionObserver(([{ isIntersecting }]) => { this.inSight = isIntersecting; });
    this.watching.observe(figure);
    this.timer = setInterval(() => this.ask(), EVERY_MS);
    document.addEventListener("visibilitychange", () => this.ask(), { signal: this.stopped.signal });
  }

  stop() {
    clearInterval(this.timer);
    this.watching.disconnect();
    this.stopped.abort();
  }

  async ask() {
    if (document.visibilityState !== "visible" || !this.inSight || this.asking) return;
    this.asking = true;
    try {
      await this.answer();
      this.figure.say("");
    } catch {
      if (this.stopped.signal.aborted) return;
      this.figure.say(`Not brought up to date since ${this.since()}: the server did not answer. Trying again.`);
    } finally {
      this.asking = false;
    }
  }

  async answer() {
    const response = await fetch(this.figure.dataset.source ?? "", {
      headers: { "If-None-Match": this.tag }, cache: "no-store", redirect: "error", signal: this.stopped.signal,
    });
    if (response.status !== 304) {
      if (!response.ok) throw new Error(`status ${response.status}`);
      const newer = await response.json();
      this.tag = response.headers.get("ETag") ?? "";
      await this.show(newer);
    }
    this.last = new Date();
  }

  since() {
    return this.last?.toLocaleTimeString() ?? "this page was opened";
  }
}
