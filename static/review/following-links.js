/** Links of the page that lead on from what is watched: their address says so when they are used. */

const USED = ["pointerenter", "pointerdown", "focus", "click"];

/**
 * @param {() => Record<string, string | number>} watched  what the address says; what is empty is left out
 */
export function follow(watched) {
  for (const link of followers()) {
    const lead = () => {
      const address = new URL(link.href);
      for (const [name, value] of Object.entries(watched())) {
        if (value === "") address.searchParams.delete(name);
        else address.searchParams.set(name, String(value));
      }
      link.href = address.href;
    };
    for (const event of USED) link.addEventListener(event, lead);
  }
}

/** @returns {NodeListOf<HTMLAnchorElement>} */
export function followers() {
  return document.querySelectorAll("a[data-follows-replay]");
}
