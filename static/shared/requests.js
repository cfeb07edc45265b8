/** All requests to the server: each with a time limit; those that change something as JSON, refusals with their code. */

import { freshToken } from "./fresh-token.js";

/** A network can go without a sign: a request without an answer after this time has failed. */
const ANSWER_WITHIN_MS = 20_000;
const UNREACHABLE = "The server cannot be reached. Try again.";

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
 * Asks for an address. Nothing else calls `fetch`: without a time limit a page waits for ever.
 * @param {string} address
 * @param {RequestInit} [options]  its `signal` in place of the usual time limit; redirects are an error unless it says otherwise
 * @returns {Promise<Response>} whatever its status
 * @throws {Refused} if none came in time
 */
export async function fetchInTime(address, { signal = AbortSignal.timeout(ANSWER_WITHIN_MS), ...options } = {}) {
  const response = await fetch(address, { redirect: "error", signal, ...options }).catch(() => null);
  if (!response || signal?.aborted) throw new Refused("server_unreachable", UNREACHABLE);
  return response;
}

/** The same, and any refusal is an error. @param {string} address @param {RequestInit} [options] @throws {Refused} */
export async function load(address, options) {
  const response = await fetchInTime(address, options);
  if (!response.ok) throw new Refused(`status_${response.status}`, "That did not work. Load the page again.");
  return response;
}

/** The page at an address, or a part of one. @param {string} address @param {RequestInit} [options] @throws {Refused} */
export async function loadPage(address, options) {
  const text = await (await load(address, options)).text();
  return new DOMParser().parseFromString(text, "text/html");
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
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": freshToken() };
  const signal = AbortSignal.timeout(withinMs);
  const response = await fetchInTime(address, { method, headers, keepalive, signal, redirect: "follow", body: body && JSON.stringify(body) });
  const answer = await response.json().catch(() => null);
  if (signal.aborted) throw new Refused("server_unreachable", UNREACHABLE);
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
