/** Custom events and what they carry. */

/**
 * Listens for custom events with a detail of a declared type.
 * @template Detail
 * @param {EventTarget} target
 * @param {string} type
 * @param {(detail: Detail) => void} listener
 */
export function onDetail(target, type, listener) {
  target.addEventListener(type, (event) => {
    if (event instanceof CustomEvent) listener(event.detail);
  });
}
