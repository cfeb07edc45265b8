/** `<replay-collect>`: a dialog that adds this replay, at the moment shown, to a collection. Event: `added`. */

import { ask, attempt } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { clockText } from "./descriptions.js";

/** @import { Collection, StoredMoment } from "./types" */

export class ReplayCollect extends HTMLElement {
  #moment = { seq: 0, seconds: 0 };
  #address = "";
  #choices = "";
  actionWord = "action";

  connectedCallback() {
    this.innerHTML = `<dialog aria-label="Add to a collection"><form>
        <h2>Add to a collection</h2><p class="at"></p>
        <label>Collection <select name="collection"></select></label>
        <label class="new">New collection <input name="name" maxlength="100"></label>
        <label>Note <input name="note" maxlength="200" placeholder="What to look at"></label>
        <button type="submit">Add</button> <button type="button" class="secondary cancel">Cancel</button>
      </form></dialog>`;
    this.#list.addEventListener("change", () => this.#offerName());
    required(this, ".cancel", HTMLButtonElement).addEventListener("click", () => this.#dialog.close());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
  }

  /** @param {string} address  to add a replay to @param {string} choices  of the list of collections */
  connect(address, choices) {
    this.#address = address;
    this.#choices = choices;
  }

  open(/** @type {StoredMoment} */ moment) {
    this.#moment = moment;
    required(this, ".at", HTMLElement).textContent = `From ${clockText(moment.seconds * 1000)}, ${this.actionWord} ${moment.seq}`;
    this.#form.reset();
    this.#dialog.showModal();
    return attempt(this.#form, async () => {
      /** @type {{collections: Collection[]}} */
      const { collections } = await ask("GET", this.#choices);
      const options = collections.map(({ id, name }) => new Option(name, String(id)));
      this.#list.replaceChildren(...options, new Option("a new one…", ""));
      this.#offerName();
    });
  }

  #add() {
    const [name, note] = ["name", "note"].map((field) => required(this, `[name=${field}]`, HTMLInputElement).value);
    return attempt(this.#form, async () => {
      await ask("POST", this.#address, { seq: this.#moment.seq, note, collection: Number(this.#list.value), name });
      this.#dialog.close();
      this.dispatchEvent(new Event("added"));
    });
  }

  /** A new collection needs a name. */
  #offerName() {
    required(this, ".new", HTMLElement).hidden = this.#list.value !== "";
  }

  get #dialog() {
    return required(this, "dialog", HTMLDialogElement);
  }

  get #form() {
    return required(this, "form", HTMLFormElement);
  }

  get #list() {
    return required(this, "[name=collection]", HTMLSelectElement);
  }
}

customElements.define("replay-collect", ReplayCollect);
