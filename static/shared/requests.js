/** Requests that change something or ask for more: JSON in both directions, refusals with their code. */

/** A network can go without a sign: a request without an answer after this time has failed. */
const ANSWER_WITHIN_MS = 20_000;

/** A refusal by the server, or no answer. `code` names it; the message says what to do; `answer` is all that the server said. */
export class Refused extends Error {
  /** @param {string} code @param {string} message @param {any} [answer] */
  constructor(code, message, answer = null) {
    super(message);
    this.code = code;
    this.answer = answer;
  }
}

/**
 * @param {string} method
 * @param {string} address
 * @param {object} [body]  sent as JSON
 * @param {{keepalive?: boolean, withinMs?: number}} [options]  `keepalive`: it is sent even if the page is left meanwhile;
 *   `withinMs`: without an answer after so long, it is as if the server could not be reached
 * @returns {Promise<any>} the answer; the caller declares its type
 * @throws {Refused}
 */
export async function ask(method, address, body, { keepalive = false, withinMs = ANSWER_WITHIN_MS } = {}) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const csrf = token instanceof HTMLInputElement ? token.value : "";
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrf };
  const signal = AbortSignal.timeout(withinMs);
  const response = await fetch(address, { method, headers, keepalive, signal, body: body && JSON.stringify(body) }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response || signal.aborted) throw new Refused("server_unreachable", "The server cannot be reached. Try again.");
  if (response.ok && answer) return answer;
  throw new Refused(answer?.code ?? `status_${response.status}`, answer?.message ?? "That did not work. Load the page again.", answer);
}

/** Makes a request for a part of the page; a refusal is shown at its end, in place of the one before. @param {Element} part @param {() => Promise<void>} request */
export async function attempt(part, request) {
  part.querySelector(".refusal")?.remove();
  try {
    await request();
  } catch (error) {
    part.append(refusalNotice(error));
  }
}

/** A paragraph with the message and the code of a refusal. @throws any other error */
export function refusalNotice(/** @type {unknown} */ error) {
  if (!(error instanceof Refused)) throw error;
  const notice = document.createElement("p");
  notice.className = "refusal bad";
  notice.setAttribute("role", "alert");
  notice.append(`${error.message} `, Object.assign(document.createElement("code"), { textContent: error.code }));
  return notice;
}
