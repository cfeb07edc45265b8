/** A drawing as a file: SVG with every colour written out, or PNG at twice its size on the scheme's background. */

const SCALE = 2;
/** Pixels around the drawing. */
const MARGIN = 12;
const OF_THE_PAGE = [
  "class", "style", "role", "tabindex", "aria-labelledby", "aria-details", "aria-description",
  "data-tip", "data-row", "data-series", "data-stacked",
];

/**
 * Hand a drawing to whoever looks at it.
 * @param {SVGSVGElement} svg
 * @param {"png" | "svg"} kind
 * @param {{name: string, title: string, paper: string}} about  file name without its ending, title, background
 */
export async function save(svg, kind, { name, title, paper }) {
  const drawing = new Blob([standingAlone(svg, title)], { type: "image/svg+xml" });
  download(kind === "svg" ? drawing : await painted(drawing, svg, paper), `${name}.${kind}`);
}

/** The drawing as text that needs no page: colours as they are now, no links, its title in it. */
export function standingAlone(svg, title) {
  const copy = svg.cloneNode(true);
  const [originals, copies] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  copies.forEach((element, index) => settle(element, getComputedStyle(originals[index])));
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const hidden of copy.querySelectorAll('[fill="transparent"], [stroke="transparent"]')) hidden.remove();
  const named = document.createElementNS(svg.namespaceURI, "title");
  named.textContent = title;
  copy.prepend(named);
  copy.setAttribute("xmlns", svg.namespaceURI);
  const { width, height } = sizeOf(svg);
  const frame = { width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}` };
  for (const [name, value] of Object.entries(frame)) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

function sizeOf(svg) {
  return { width: svg.width.baseVal.value + 2 * MARGIN, height: svg.height.baseVal.value + 2 * MARGIN };
}

/** Write out what an element takes from style sheets. */
function settle(element, computed) {
  for (const { name, value } of [...element.attributes]) {
    if (OF_THE_PAGE.includes(name)) element.removeAttribute(name);
    else if (/var\(|currentcolor/i.test(value)) element.setAttribute(name, computed.getPropertyValue(name));
  }
}

async function painted(drawing, svg, paper) {
  const address = URL.createObjectURL(drawing);
  try {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    const canvas = document.createElement("canvas");
    const { width, height } = sizeOf(svg);
    [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
    const context = canvas.getContext("2d");
    context.fillStyle = paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
