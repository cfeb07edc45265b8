/** `<replay-bar>`: the seek bar with its marks. Says `seek` with the time of the clock it was moved to. */

export class ReplayBar extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<div class="marks" aria-hidden="true"></div>
      <input type="range" min="0" step="1" value="0" aria-label="Time">`;
    this.marks = this.querySelector(".marks");
    this.range = this.querySelector("input");
    this.range.addEventListener("input", () => {
      this.dispatchEvent(new CustomEvent("seek", { detail: Number(this.range.value) }));
    });
  }

  /**
   * @param {import("./clocks.js").RealTime | import("./clocks.js").PerAction} clock
   * @param {import("./marks.js").Mark[]} marks
   * @param {number} threshold  idle stretches longer than this, in milliseconds, are hatched
   */
  draw(clock, marks, threshold) {
    this.range.max = String(Math.max(1, Math.ceil(clock.duration)));
    const share = (/** @type {number} */ time) => (100 * Math.min(time, clock.duration)) / Math.max(1, clock.duration);
    this.marks.replaceChildren(
      ...clock.idle(threshold).map(({ from, to }) => piece("idle", share(from), "nothing was done", share(to) - share(from))),
      ...marks.map(({ kind, words, position, time }) => (
        piece(kind, share(position === undefined ? clock.of(time) : clock.times[position]), words)
      )),
    );
  }

  /** @param {number} time  of the clock @param {string} words  the moment for those who cannot see the bar */
  show(time, words) {
    this.range.value = String(Math.round(time));
    this.range.setAttribute("aria-valuetext", words);
  }
}

function piece(kind, left, words, width = 0) {
  const mark = document.createElement("i");
  mark.className = kind;
  mark.title = words;
  mark.style.left = `${left}%`;
  if (width) mark.style.width = `${width}%`;
  return mark;
}

customElements.define("replay-bar", ReplayBar);
