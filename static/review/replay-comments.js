/**
 * `<replay-comments>`: what staff noted at moments of the replay.
 * Events: `seek-time` with milliseconds of real time; `change` if the comments have changed.
 */

import { ask, attempt } from "../shared/requests.js";
import { required } from "../shared/required.js";
import { clockText } from "./descriptions.js";

/** @import { Comment, StoredMoment } from "./types" */

const addressOf = (/** @type {Comment} */ { id }) => `/staff/comments/${id}/`;

export class ReplayComments extends HTMLElement {
  /** @type {Comment[]} */
  comments = [];
  #address = "";
  actionWord = "action";
  /** The moment of a new comment. @type {StoredMoment} */
  #moment = { seq: 0, seconds: 0 };
  /** The comment being changed; null for a new one. @type {Comment | null} */
  #edited = null;

  connectedCallback() {
    this.innerHTML = `<ol></ol><p class="none">No comments. <kbd>c</kbd> comments on the moment shown.</p>
      <form hidden><p class="at"></p>
        <textarea name="text" rows="2" maxlength="2000" aria-label="Comment" placeholder="What happens here?"></textarea>
        <input name="tags" aria-label="Tags, separated by commas" placeholder="tags, separated by commas">
        <div class="row"><button type="submit">Save</button><button type="button" class="secondary cancel">Cancel</button></div>
      </form>`;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
    this.#form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#form.requestSubmit();
    });
    required(this, ".cancel", HTMLButtonElement).addEventListener("click", () => this.#close());
  }

  load(/** @type {string} */ address) {
    this.#address = address;
    return attempt(this, async () => {
      /** @type {{comments: Comment[]}} */
      const { comments } = await ask("GET", address);
      this.#show(comments);
    });
  }

  /** Opens the form for a new comment. */
  write(/** @type {StoredMoment} */ moment) {
    this.#moment = moment;
    this.#edit(null);
  }

  #edit(/** @type {Comment | null} */ comment) {
    this.#edited = comment;
    const { seq, seconds } = comment ?? this.#moment;
    required(this, ".at", HTMLElement).textContent = `At ${clockText(seconds * 1000)}, ${this.actionWord} ${seq}`;
    this.#text.value = comment?.text ?? "";
    this.#tags.value = comment?.tags.join(", ") ?? "";
    this.#form.hidden = false;
    this.#text.focus();
  }

  #close() {
    this.#form.hidden = true;
    this.querySelector(".refusal")?.remove();
  }

  #save() {
    const remark = { text: this.#text.value, tags: this.#tags.value.split(",") };
    return attempt(this, async () => {
      const others = this.comments.filter((comment) => comment !== this.#edited);
      /** @type {Comment} */
      const saved = this.#edited
        ? await ask("PUT", addressOf(this.#edited), remark)
        : await ask("POST", this.#address, { ...remark, ...this.#moment });
      this.#form.hidden = true;
      this.#show([...others, saved]);
    });
  }

  #delete(/** @type {Comment} */ comment) {
    return attempt(this, async () => {
      await ask("DELETE", addressOf(comment));
      this.#show(this.comments.filter(({ id }) => id !== comment.id));
    });
  }

  #show(/** @type {Comment[]} */ comments) {
    this.comments = comments.toSorted((one, other) => one.seconds - other.seconds);
    required(this, "ol", HTMLOListElement).replaceChildren(...this.comments.map((comment) => this.#item(comment)));
    required(this, ".none", HTMLElement).hidden = comments.length > 0;
    this.dispatchEvent(new Event("change"));
  }

  #item(/** @type {Comment} */ comment) {
    const item = document.createElement("li");
    const time = comment.seconds * 1000;
    const seek = () => this.dispatchEvent(new CustomEvent("seek-time", { detail: time }));
    const author = span("author", comment.author);
    author.title = comment.changed_at ? `changed ${comment.changed_at}` : comment.created_at;
    item.append(button("to", clockText(time), seek), author, ...comment.tags.map((tag) => span("tag", tag)));
    if (comment.mine) {
      item.append(button("change", "Change", () => this.#edit(comment)), button("delete", "Delete", () => this.#delete(comment)));
    }
    if (comment.text) item.append(Object.assign(document.createElement("p"), { textContent: comment.text }));
    return item;
  }

  get #form() {
    return required(this, "form", HTMLFormElement);
  }

  get #text() {
    return required(this, "textarea", HTMLTextAreaElement);
  }

  get #tags() {
    return required(this, "[name=tags]", HTMLInputElement);
  }
}

function span(/** @type {string} */ className, /** @type {string} */ textContent) {
  return Object.assign(document.createElement("span"), { className, textContent });
}

/** @param {string} className @param {string} label @param {() => void} action */
function button(className, label, action) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: `quiet ${className}`, textContent: label });
  made.addEventListener("click", action);
  return made;
}

customElements.define("replay-comments", ReplayComments);
