/** `<run-progress data-source="…/progress.json">`: asks how far a run is, and loads the page again when it is over. */

const EVERY_MS = 1000;

class RunProgress extends HTMLElement {
  connectedCallback() {
    this.timer = setInterval(() => this.ask(), EVERY_MS);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  async ask() {
    if (this.asking || document.visibilityState !== "visible") return;
    this.asking = true;
    try {
      const response = await fetch(this.dataset.source, { redirect: "error" });
      if (response.ok) this.show(await response.json());
    } catch {
      this.querySelector("[role=status]").textContent = "The server does not answer; trying again.";
    } finally {
      this.asking = false;
    }
  }

  show({ unfinished, share, words }) {
    if (!unfinished) {
      clearInterval(this.timer);
      location.reload();
      return;
    }
    const bar = this.querySelector("progress");
    if (share !== null) bar.value = share;
    this.querySelector("[role=status]").textContent = words;
  }
}

customElements.define("run-progress", RunProgress);
