/**
 * `<live-parts data-source="…">`: while sessions run, asks for parts of the page again and puts each in the place of the one
 * with its id. What has not changed is left alone; focus stays on the same link.
 */

const EVERY_MS = 5000;

class LiveParts extends HTMLElement {
  connectedCallback() {
    this.stopped = new AbortController();
    this.timer = setInterval(() => this.ask(), EVERY_MS);
    document.addEventListener("visibilitychange", () => this.ask(), { signal: this.stopped.signal });
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    this.stopped.abort();
  }

  async ask() {
    if (document.visibilityState !== "visible" || this.asking) return;
    this.asking = true;
    try {
      const response = await fetch(this.dataset.source, { redirect: "error", signal: this.stopped.signal });
      if (response.ok) this.take(await response.text());
    } catch {
      // The figures beside these parts say that the server does not answer; the next round tries again.
    } finally {
      this.asking = false;
    }
  }

  take(answer) {
    for (const part of new DOMParser().parseFromString(answer, "text/html").body.children) {
      const known = this.last?.get(part.id);
      (this.last ??= new Map()).set(part.id, part.innerHTML);
      const shown = document.getElementById(part.id);
      if (shown && part.innerHTML !== known) replace(shown, part);
    }
  }
}

function replace(shown, part) {
  const focused = shown.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  shown.replaceChildren(...part.childNodes);
  if (focused) shown.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

customElements.define("live-parts", LiveParts);
