/** A drawing as a file: SVG with every colour written out, or PNG at twice its size on the scheme's background. */

const WRITTEN = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor",
];
const SCALE = 2;

/** @param {SVGSVGElement} svg @param {"png" | "svg"} kind @param {string} name @param {CSSStyleDeclaration} style  of the figure */
export async function save(svg, kind, name, style) {
  const text = serialised(svg, style);
  const file = new Blob([text], { type: "image/svg+xml" });
  download(kind === "svg" ? file : await painted(file, svg, style), name);
}

/** The drawing on its own: what style sheets gave it stands as attributes, so that it looks the same anywhere. */
export function serialised(svg, style) {
  const copy = svg.cloneNode(true);
  const [from, to] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((element, index) => {
    const computed = getComputedStyle(element);
    for (const property of WRITTEN) {
      const value = computed.getPropertyValue(property);
      if (element.hasAttribute(property) || property === "fill" || property === "stroke") to[index].setAttribute(property, value);
    }
    for (const attribute of ["tabindex", "class", "style", "data-tip", "aria-labelledby", "aria-details"]) to[index].removeAttribute(attribute);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("color", style.color);
  return new XMLSerializer().serializeToString(copy);
}

async function painted(file, svg, style) {
  const image = new Image();
  const address = URL.createObjectURL(file);
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [svg.width.baseVal.value * SCALE, svg.height.baseVal.value * SCALE];
    const context = canvas.getContext("2d");
    context.fillStyle = style.getPropertyValue("--paper") || "white";
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
