/** `<replay-collect>`: the dialog that adds this replay, at the moment shown, to a collection. Event: `added`. */

import { ask, refusalNotice } from "../shared/requests.js";
import { clock } from "./descriptions.js";

export class ReplayCollect extends HTMLElement {
  #moment = { seq: 0, seconds: 0 };

  connectedCallback() {
    this.innerHTML = `<dialog aria-label="Add to a collection"><form>
        <h2>Add to a collection</h2><p class="at"></p>
        <label>Collection <select name="collection"></select></label>
        <label class="new">New collection <input name="name" maxlength="100"></label>
        <label>Note <input name="note" maxlength="200" placeholder="What to look at"></label>
        <button type="submit">Add</button> <button type="button" class="secondary cancel">Cancel</button>
      </form></dialog>`;
    this.dialog = this.querySelector("dialog");
    this.form = this.querySelector("form");
    const { collection } = this.form.elements;
    collection.addEventListener("change", () => { this.querySelector(".new").hidden = collection.value !== ""; });
    this.querySelector(".cancel").addEventListener("click", () => this.dialog.close());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
  }

  /** @param {string} address  where a replay is added @param {string} choices  the collections there are */
  begin(address, choices) {
    this.address = address;
    this.choices = choices;
  }

  /** @param {{seq: number, seconds: number}} moment */
  async open(moment) {
    this.#moment = moment;
    this.querySelector(".at").textContent = `From ${clock(moment.seconds * 1000)}, action ${moment.seq}`;
    this.querySelector(".refusal")?.remove();
    this.form.reset();
    this.dialog.showModal();
    await this.#tryTo(async () => {
      const { collections } = await ask("GET", this.choices);
      const options = collections.map(({ id, name }) => new Option(name, id));
      this.form.elements.collection.replaceChildren(...options, new Option("a new one…", ""));
      this.form.elements.collection.dispatchEvent(new Event("change"));
    });
  }

  #add() {
    const { collection, name, note } = this.form.elements;
    return this.#tryTo(async () => {
      const { seq } = this.#moment;
      const added = { seq, note: note.value, collection: Number(collection.value), name: name.value };
      await ask("POST", this.address, added);
      this.dialog.close();
      this.dispatchEvent(new Event("added"));
    });
  }

  async #tryTo(/** @type {() => Promise<void>} */ deed) {
    this.querySelector(".refusal")?.remove();
    try {
      await deed();
    } catch (error) {
      this.form.append(refusalNotice(error));
    }
  }
}

customElements.define("replay-collect", ReplayCollect);
