/** `<level-sketch data-cells="…">`: a sketch as a picture, from its 4,096 digits. */

import { SIDE } from "../../shared/codec.js";
import { drawCells } from "../../shared/drawing.js";
import { cellsOf } from "./sketch.js";

class LevelSketch extends HTMLElement {
  connectedCallback() {
    const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    drawCells(canvas, cellsOf(this.dataset.cells ?? ""));
    this.replaceChildren(canvas);
  }
}

customElements.define("level-sketch", LevelSketch);
