/** Letters as the server counts them, and what cannot be seen (playtest/rules/text.py). */

const SEEN = /[^\p{C}\p{M}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Whether anything of the text can be seen. */
export function visible(/** @type {string} */ text) {
  return SEEN.test(text);
}

/** The beginning of a text with at most so many letters; what is one sign to the eye stays whole or goes. */
export function shortened(/** @type {string} */ text, /** @type {number} */ most) {
  if ([...text].length <= most) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if ([...kept, ...segment].length > most) break;
    kept += segment;
  }
  return kept;
}

/** Keeps what is written in the fields with `data-most` within it. */
export function limitLetters(/** @type {HTMLElement} */ part) {
  part.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement) || !target.dataset.most) return;
    const kept = shortened(target.value, Number(target.dataset.most));
    if (kept !== target.value) target.value = kept;
  });
}
