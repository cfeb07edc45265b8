/** `<aside-tasks>`: the tasks that were set aside, each with a picture of its first test input, to go back to. */

import { TaskGrid } from "./grid-view.js";
import { gettext } from "../../shared/catalogue.js";

/** @import { TaskAside } from "../types" */

/** The side of a picture, in CSS pixels. */
const PICTURE = 72;

/** Event: `take-up` with the number of the chosen attempt. */
export class AsideTasks extends HTMLElement {
  #ready = false;

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", gettext("Set aside"));
  }

  /** Whether the server takes messages; otherwise the buttons are disabled. */
  set ready(/** @type {boolean} */ ready) {
    this.#ready = ready;
    for (const button of this.querySelectorAll("button")) button.disabled = !ready;
  }

  /** @param {TaskAside[]} tasks @param {boolean} patterns  whether a pattern is drawn on each colour */
  show(tasks, patterns) {
    this.hidden = tasks.length === 0;
    this.replaceChildren(...tasks.map((task) => this.#button(task, patterns)));
  }

  /** @param {TaskAside} task @param {boolean} patterns */
  #button({ attempt, input }, patterns) {
    const grid = new TaskGrid();
    grid.grid = input;
    grid.patterns = patterns;
    grid.cell = PICTURE / Math.max(input.length, input[0].length);
    const button = document.createElement("button");
    button.type = "button";
    button.disabled = !this.#ready;
    button.append(grid, gettext("Go back to number {attempt}", { attempt }));
    button.addEventListener("click", () => this.dispatchEvent(new CustomEvent("take-up", { detail: attempt })));
    return button;
  }
}

customElements.define("aside-tasks", AsideTasks);
