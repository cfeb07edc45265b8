/**
 * `<replay-comments src="…/comments/">`: what staff noted at moments of the replay.
 * Events: `seek` with a comment; `change` when the comments have changed.
 */

import { ask, refusalNotice } from "../shared/requests.js";
import { clock } from "./descriptions.js";

const COMMENT = (/** @type {number} */ id) => `/staff/comments/${id}/`;

export class ReplayComments extends HTMLElement {
  /** @type {any[]} */
  comments = [];
  /** The moment a new comment is for. @type {{seq: number, seconds: number} | null} */
  #moment = null;
  /** The comment being changed. @type {any} */
  #changing = null;

  connectedCallback() {
    this.innerHTML = `<ol></ol><p class="none">No comments. <kbd>c</kbd> comments on the moment shown.</p>
      <form hidden><p class="at"></p>
        <textarea name="text" rows="2" maxlength="2000" aria-label="Comment" placeholder="What happens here?"></textarea>
        <input name="tags" aria-label="Tags, separated by commas" placeholder="tags, separated by commas">
        <div class="row"><button type="submit">Save</button><button type="button" class="secondary cancel">Cancel</button></div>
      </form>`;
    this.list = this.querySelector("ol");
    this.form = this.querySelector("form");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.form.requestSubmit();
    });
    this.querySelector(".cancel").addEventListener("click", () => this.#close());
  }

  async load(/** @type {string} */ address) {
    this.address = address;
    await this.#tryTo(async () => {
      this.comments = (await ask("GET", address)).comments;
      this.#draw();
    });
  }

  /** Open the form for a new comment. */
  write(/** @type {{seq: number, seconds: number}} */ moment) {
    this.#moment = moment;
    this.#edit(null);
  }

  #edit(comment) {
    this.#changing = comment;
    const { seq, seconds } = comment ?? this.#moment;
    this.form.querySelector(".at").textContent = `At ${clock(seconds * 1000)}, action ${seq}`;
    this.form.elements.text.value = comment?.text ?? "";
    this.form.elements.tags.value = comment?.tags.join(", ") ?? "";
    this.form.hidden = false;
    this.form.elements.text.focus();
  }

  #close() {
    this.form.hidden = true;
    this.#say(null);
  }

  #save() {
    const remark = { text: this.form.elements.text.value, tags: this.form.elements.tags.value.split(",") };
    return this.#tryTo(async () => {
      if (this.#changing) {
        const changed = await ask("PUT", COMMENT(this.#changing.id), remark);
        this.comments = this.comments.map((comment) => (comment.id === changed.id ? changed : comment));
      } else {
        this.comments.push(await ask("POST", this.address, { ...remark, ...this.#moment }));
      }
      this.form.hidden = true;
      this.#draw();
    });
  }

  #delete(comment) {
    return this.#tryTo(async () => {
      await ask("DELETE", COMMENT(comment.id));
      this.comments = this.comments.filter(({ id }) => id !== comment.id);
      this.#draw();
    });
  }

  async #tryTo(/** @type {() => Promise<void>} */ deed) {
    this.#say(null);
    try {
      await deed();
    } catch (error) {
      this.#say(error);
    }
  }

  #say(error) {
    this.querySelector(".refusal")?.remove();
    if (error) this.append(refusalNotice(error));
  }

  #draw() {
    this.comments.sort((one, other) => one.seconds - other.seconds);
    this.list.replaceChildren(...this.comments.map((comment) => this.#item(comment)));
    this.querySelector(".none").hidden = this.comments.length > 0;
    this.dispatchEvent(new Event("change"));
  }

  #item(comment) {
    const item = document.createElement("li");
    const to = button("to", clock(comment.seconds * 1000), () => this.dispatchEvent(new CustomEvent("seek", { detail: comment })));
    const author = Object.assign(document.createElement("span"), { className: "author", textContent: comment.author });
    author.title = comment.changed_at ? `changed ${comment.changed_at}` : comment.created_at;
    const tags = comment.tags.map((tag) => Object.assign(document.createElement("span"), { className: "tag", textContent: tag }));
    item.append(to, author, ...tags);
    if (comment.mine) {
      item.append(button("change", "Change", () => this.#edit(comment)), button("delete", "Delete", () => this.#delete(comment)));
    }
    if (comment.text) item.append(Object.assign(document.createElement("p"), { textContent: comment.text }));
    return item;
  }
}

function button(className, words, deed) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: `quiet ${className}`, textContent: words });
  made.addEventListener("click", deed);
  return made;
}

customElements.define("replay-comments", ReplayComments);
