// Shows every <time datetime> in the viewer's own time zone and language, in 24 hours as the schedule does. One that stands alone and is
// recent says how long ago it was; the exact value stays in its title, and on paper.

const THIS_YEAR = new Date().getFullYear();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AGAIN_MS = MINUTE_MS / 2;

// Each is made once: to make one takes far longer than to write a time with it, and a list has a hundred.
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** Without the year if it is this one; with seconds if the page asks for them (`data-seconds`). @param {Date} moment @param {boolean} seconds */
function localTime(moment, seconds) {
  const year = moment.getFullYear() === THIS_YEAR ? undefined : "numeric";
  const key = `${year} ${seconds}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, {
    year,
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    second: seconds ? "2-digit" : undefined,
  });
  formats.set(key, format);
  return format.format(moment);
}

/** How long ago it was, within the last hour; else null. @param {Date} moment */
function ago(moment) {
  const passed = Date.now() - moment.getTime();
  if (passed < 0 || passed >= HOUR_MS) return null;
  return passed < MINUTE_MS ? "just now" : `${Math.floor(passed / MINUTE_MS)} min ago`;
}

/** Whether its parent has no other words: within a sentence, "since 4 min ago" would be none. @param {HTMLTimeElement} element */
function standsAlone(element) {
  return element.parentElement?.textContent?.trim() === element.textContent?.trim();
}

/** The exact value of each, as the server wrote it. @type {Map<HTMLTimeElement, string>} */
const exactValues = new Map();

/** @param {HTMLTimeElement} element @param {{exact?: boolean}} [options] */
function showOne(element, { exact = false } = {}) {
  const moment = new Date(element.dateTime);
  if (Number.isNaN(moment.getTime())) return;
  const title = exactValues.get(element) ?? element.title;
  exactValues.set(element, title);
  const seconds = element.dataset.seconds !== undefined;
  const relative = !exact && !seconds && standsAlone(element) ? ago(moment) : null;
  element.title = relative ? `${localTime(moment, true)}\n${title}` : title;
  const text = relative ?? localTime(moment, seconds);
  if (element.textContent !== text) element.textContent = text;
}

function show(/** @type {ParentNode} */ part) {
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (part.querySelectorAll("time[datetime]"))) showOne(element);
}

/** Shows again those that are still on the page and that no other script has changed. @param {{exact?: boolean}} [options] */
function showAgain(options) {
  for (const [element, title] of exactValues) {
    if (!element.isConnected) exactValues.delete(element);
    else if (element.title.endsWith(title)) showOne(element, options);
  }
}

show(document);
setInterval(() => showAgain(), AGAIN_MS);
addEventListener("beforeprint", () => showAgain({ exact: true }));
addEventListener("afterprint", () => showAgain());
// Parts of a page may come later.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element && node.parentElement) show(node.parentElement);
}).observe(document.body, { childList: true, subtree: true });
