/** Asks the server for news again and again, while the page is visible. */

const LONGEST_DELAY_MS = 30_000;
/** A network can go without a sign: a request without an answer after this time has failed. */
const ANSWER_WITHIN_MS = 15_000;

/**
 * Calls `ask` each time `everyMs` have passed since it settled; after a failure twice as long as before, at most 30 s. A hidden page
 * asks nothing. It asks at once when it is visible again or when the network is back.
 * @param {(signal: AbortSignal) => Promise<void>} ask  fetches with this signal and shows the answer; rejects when there is none
 * @param {number} everyMs
 * @param {() => void} [failed]  called when `ask` rejects
 * @returns {() => void} stops asking, and aborts a request under way
 */
export function poll(ask, everyMs, failed = () => {}) {
  const stopped = new AbortController();
  /** @type {AbortController | null} the request under way */
  let request = null;
  /** @type {number | undefined} */
  let timer;
  let delay = everyMs;

  async function askNow() {
    if (request || document.visibilityState !== "visible") return;
    clearTimeout(timer);
    request = new AbortController();
    const deadline = setTimeout(() => request?.abort(), ANSWER_WITHIN_MS);
    try {
      await ask(request.signal);
      delay = everyMs;
    } catch {
      delay = Math.min(LONGEST_DELAY_MS, 2 * delay);
      if (!stopped.signal.aborted) failed();
    }
    clearTimeout(deadline);
    request = null;
    if (!stopped.signal.aborted) timer = setTimeout(askNow, delay);
  }

  document.addEventListener("visibilitychange", askNow, { signal: stopped.signal });
  window.addEventListener("online", askNow, { signal: stopped.signal });
  timer = setTimeout(askNow, everyMs);
  return () => {
    stopped.abort();
    clearTimeout(timer);
    request?.abort();
  };
}
