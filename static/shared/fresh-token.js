/**
 * The token that every form and request has to carry. Signing in, also in another tab, makes a new one, and a page that is open has the
 * old one still: so each form gets the browser's newest when it is sent, and what was typed is not lost.
 */

const NAME = "csrfmiddlewaretoken";

/** The token in the browser's cookie; that of the page where cookies cannot be read. */
export function freshToken() {
  const [, cookie] = /(?:^|; )csrftoken=(\w+)/.exec(document.cookie) ?? [];
  const field = document.querySelector(`[name=${NAME}]`);
  return cookie ?? (field instanceof HTMLInputElement ? field.value : "");
}

document.addEventListener("submit", ({ target }) => {
  const field = target instanceof HTMLFormElement && target.querySelector(`[name=${NAME}]`);
  if (field instanceof HTMLInputElement) field.value = freshToken();
}, { capture: true });
