// Shows every <time datetime> in the viewer's own time zone and language, in 24 hours as the schedule does; the exact value stays in its title.

const THIS_YEAR = new Date().getFullYear();

/** Without the year if it is this one; with seconds if the page asks for them (`data-seconds`). @param {Date} moment @param {DOMStringMap} options */
function localTime(moment, { seconds }) {
  return moment.toLocaleString(undefined, {
    year: moment.getFullYear() === THIS_YEAR ? undefined : "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    second: seconds === undefined ? undefined : "2-digit",
  });
}

function show(/** @type {ParentNode} */ part) {
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (part.querySelectorAll("time[datetime]"))) {
    const moment = new Date(element.dateTime);
    if (!Number.isNaN(moment.getTime())) element.textContent = localTime(moment, element.dataset);
  }
}

show(document);
// Parts of a page may come later.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element && node.parentElement) show(node.parentElement);
}).observe(document.body, { childList: true, subtree: true });
