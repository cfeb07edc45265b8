/**
 * The controls for everybody in the chosen room. They are asked for only once they are opened, and lie over the tiles, so that opening
 * them moves none. The filter of studies does not narrow them: they say themselves whom they are for.
 */

export class RoomControls {
  /**
   * @param {HTMLDetailsElement} details  with a `<staff-controls>`
   * @param {() => string} room  the chosen room; empty for all of them
   */
  constructor(details, room) {
    this.details = details;
    this.room = room;
    details.addEventListener("toggle", () => this.follow());
    details.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    });
  }

  /** Brings the controls to the room that is chosen now; takes them away when they are closed. */
  follow() {
    const open = this.details.querySelector("staff-controls");
    if (!this.details.open) {
      open?.remove();
      return;
    }
    const controls = open instanceof HTMLElement ? open : document.createElement("staff-controls");
    const room = this.room();
    controls.dataset.source = `/staff/room-controls/${room ? `?${new URLSearchParams({ room })}` : ""}`;
    if (!open) this.details.append(controls);
  }
}
