/** Custom events and what they carry; presses that leave the focus where it is. */

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

/** Lets a pointer press a part without moving the focus, so that Space still belongs to the environment. */
export function leaveFocus(/** @type {HTMLElement} */ part) {
  for (const type of ["pointerdown", "mousedown"]) part.addEventListener(type, (event) => event.preventDefault());
}
