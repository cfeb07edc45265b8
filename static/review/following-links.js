/** Links of the page that lead on from the moment shown: their address names it when they are used. */

const USED = ["pointerenter", "pointerdown", "focus", "click"];

/**
 * @param {() => Record<string, string | number>} parameters  of the address; empty ones are left out
 */
export function followReplay(parameters) {
  for (const link of followingLinks()) {
    const update = () => {
      const address = new URL(link.href);
      for (const [name, value] of Object.entries(parameters())) {
        if (value === "") address.searchParams.delete(name);
        else address.searchParams.set(name, String(value));
      }
      link.href = address.href;
    };
    for (const event of USED) link.addEventListener(event, update);
  }
}

/** @returns {NodeListOf<HTMLAnchorElement>} */
export function followingLinks() {
  return document.querySelectorAll("a[data-follows-replay]");
}
