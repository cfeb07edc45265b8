/** `<state-graph data-source="…/graph.json">`: a state graph or its beginning. A chosen state shows its frame and the actions that lead to it. */

import { nextMark } from "../shared/arrow-keys.js";
import { element, frameCanvas } from "../shared/drawing.js";
import { load } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { actionsTo, edgePath, layout, TILE } from "./graph-layout.js";

/** @import { Action } from "./graph-layout.js" */
/** @typedef {"open" | "win" | "loss" | "fault"} Kind */
/** @typedef {{depth: number, kind: Kind, beyond?: number, frame: string | null}} Node  frame: 4,096 hexadecimal digits */
/** @typedef {{nodes: Node[], edges: [number, number][], tree: [number, number, Action][]}} Graph */

const NAMES = ["reset", "up", "down", "left", "right", "interact", "click", "undo"];
/** @type {Record<Kind, string>} */
const KINDS = { open: "goes on", win: "won", loss: "lost", fault: "fault" };

class StateGraph extends HTMLElement {
  async connectedCallback() {
    try {
      this.show(await (await load(this.dataset.source ?? "")).json());
    } catch (error) {
      required(this, "[role=status]", HTMLElement).textContent = `The graph could not be loaded: ${error instanceof Error ? error.message : error}`;
    }
  }

  show(/** @type {Graph} */ graph) {
    const { places, width, height } = layout(graph.nodes);
    const edges = graph.edges.filter(([from, to]) => from !== to).map(([from, to]) =>
      element("path", { d: edgePath(places[from], places[to]), class: "edge" }));
    const tiles = graph.nodes.map((node, index) => tileOf(node, index, places[index]));
    const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
      element("g", { "aria-hidden": "true" }, ...edges),
      element("g", { role: "group", "aria-label": "State graph" }, ...tiles));
    const scroller = Object.assign(document.createElement("div"), { className: "scroller" });
    scroller.append(svg);
    const chosen = Object.assign(document.createElement("div"), { className: "chosen" });
    const choose = (/** @type {number} */ index) => {
      markChosen(tiles, index);
      chosen.replaceChildren(...describe(graph, index));
    };
    const marks = places.map((place, index) => ({ ...place, row: graph.nodes[index].depth }));
    tiles.forEach((tile, index) => {
      tile.addEventListener("click", () => choose(index));
      tile.addEventListener("keydown", (event) => {
        const to = event.key === "Enter" || event.key === " " ? index : nextMark(marks, index, event.key, { stacked: true });
        if (to === null) return;
        event.preventDefault();
        choose(to);
        tiles[to].focus();
      });
    });
    this.replaceChildren(scroller, chosen);
    choose(0);
  }
}

/** @param {Node} node @param {number} index @param {{x: number, y: number}} place */
function tileOf(node, index, { x, y }) {
  const corner = { x: x - TILE / 2, y: y - TILE / 2, width: TILE, height: TILE };
  return element("g", { class: `tile ${node.kind}${node.beyond ? " beyond" : ""}`, role: "button", "aria-label": stateLabel(node, index) },
    node.frame ? element("image", { ...corner, href: frameCanvas(node.frame, 1).toDataURL() }) : null, element("rect", corner));
}

/** @param {SVGGElement[]} tiles @param {number} chosen */
function markChosen(tiles, chosen) {
  tiles.forEach((tile, index) => {
    tile.setAttribute("aria-pressed", String(index === chosen));
    tile.setAttribute("tabindex", index === chosen ? "0" : "-1");
  });
}

/** A state's frame, if it has one, and a sentence about it. @param {Graph} graph @param {number} index */
function describe(graph, index) {
  const node = graph.nodes[index];
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "status");
  const actions = actionsTo(graph.tree, index).map(([id, x, y]) => (id === 6 ? `click ${x}, ${y}` : NAMES[id]));
  sentence.textContent = `${stateLabel(node, index)}${actions.length ? `, by ${actions.join(", ")}` : ""}.`;
  return node.frame ? [frameCanvas(node.frame, 4), sentence] : [sentence];
}

/** @param {Node} node @param {number} index */
function stateLabel({ kind, depth, beyond = 0 }, index) {
  const more = beyond ? `, ${beyond} action${beyond === 1 ? " leads" : "s lead"} beyond this drawing` : "";
  return `State ${index}, ${depth} action${depth === 1 ? "" : "s"} from the start, ${KINDS[kind]}${more}`;
}

customElements.define("state-graph", StateGraph);
