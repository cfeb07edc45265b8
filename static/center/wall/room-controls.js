/**
 * The controls for everybody in the chosen room, and in rehearsals if the wall shows them. They are asked for only once they are
 * opened, and lie over the tiles, so that opening them moves none. The filter of studies does not narrow them: they say themselves whom they are for.
 */

export class RoomControls {
  /**
   * @param {HTMLDetailsElement} details  with a `<staff-controls>`
   * @param {() => URLSearchParams} group  whom they are for
   */
  constructor(details, group) {
    this.details = details;
    this.group = group;
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
    controls.dataset.source = `/staff/room-controls/?${this.group()}`;
    if (!open) this.details.append(controls);
  }
}
