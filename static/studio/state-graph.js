/** `<state-graph data-source="…/graph.json">`: a state graph or its beginning; a chosen state shows its frame and the way to it. Arrow keys choose. */

import { element } from "../insight/drawing.js";
import { next } from "../insight/roving.js";
import { PALETTE } from "../play/palette.js";
import { layout, TILE, way, wayTo } from "./graph-layout.js";

const SIZE = 64;
const COLOURS = PALETTE.map((colour) => `#${colour.toString(16).padStart(6, "0")}`);
const NAMES = ["reset", "up", "down", "left", "right", "interact", "click", "undo"];
const KINDS = { open: "goes on", win: "won", loss: "lost", fault: "fault" };

class StateGraph extends HTMLElement {
  async connectedCallback() {
    try {
      const response = await fetch(this.dataset.source);
      if (!response.ok) throw new TypeError(`the server answered ${response.status}`);
      this.show(await response.json());
    } catch (error) {
      this.querySelector("[role=status]").textContent = `The graph could not be loaded: ${error.message}`;
    }
  }

  show(graph) {
    this.graph = graph;
    const { places, width, height } = layout(graph.nodes);
    const edges = graph.edges.filter(([from, to]) => from !== to).map(([from, to]) =>
      element("path", { d: way(places[from], places[to]), class: "edge" }));
    this.places = places.map((place, index) => ({ ...place, row: graph.nodes[index].depth }));
    this.tiles = graph.nodes.map((node, index) => this.tile(node, index, places[index]));
    const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
      element("g", { "aria-hidden": "true" }, ...edges),
      element("g", { role: "group", "aria-label": "State graph" }, ...this.tiles));
    const scroller = document.createElement("div");
    scroller.className = "scroller";
    scroller.append(svg);
    this.chosen = document.createElement("div");
    this.chosen.className = "chosen";
    this.replaceChildren(scroller, this.chosen);
    this.choose(0);
  }

  tile(node, index, { x, y }) {
    const corner = { x: x - TILE / 2, y: y - TILE / 2, width: TILE, height: TILE };
    const tile = element("g", { class: `tile ${node.kind}${node.beyond ? " beyond" : ""}`, role: "button", "aria-label": words(node, index) },
      node.frame && element("image", { ...corner, href: drawn(node.frame, 1).toDataURL() }), element("rect", corner));
    tile.addEventListener("click", () => this.choose(index));
    tile.addEventListener("keydown", (event) => {
      const to = event.key === "Enter" || event.key === " " ? index : next(this.places, index, event.key, { stacked: true });
      if (to === null) return;
      event.preventDefault();
      this.choose(to);
      this.tiles[to].focus();
    });
    return tile;
  }

  choose(index) {
    const node = this.graph.nodes[index];
    this.tiles.forEach((tile, other) => {
      tile.setAttribute("aria-pressed", String(other === index));
      tile.setAttribute("tabindex", other === index ? 0 : -1);
    });
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    const actions = wayTo(this.graph.tree, index).map(([id, x, y]) => (id === 6 ? `click ${x}, ${y}` : NAMES[id]));
    said.textContent = `${words(node, index)}${actions.length ? `, by ${actions.join(", ")}` : ""}.`;
    this.chosen.replaceChildren(...(node.frame ? [drawn(node.frame, 4)] : []), said);
  }
}

function words({ kind, depth, beyond = 0 }, index) {
  const more = beyond ? `, ${beyond} action${beyond === 1 ? " leads" : "s lead"} beyond this drawing` : "";
  return `State ${index}, ${depth} action${depth === 1 ? "" : "s"} from the start, ${KINDS[kind]}${more}`;
}

/** A frame of 4,096 hexadecimal digits as a canvas. */
function drawn(frame, scale) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIZE * scale, height: SIZE * scale });
  const context = canvas.getContext("2d");
  for (let cell = 0; cell < SIZE * SIZE; cell += 1) {
    context.fillStyle = COLOURS[parseInt(frame[cell], 16)];
    context.fillRect((cell % SIZE) * scale, Math.floor(cell / SIZE) * scale, scale, scale);
  }
  return canvas;
}

customElements.define("state-graph", StateGraph);
