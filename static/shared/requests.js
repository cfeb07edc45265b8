/** Requests of the replay page that change something or ask for more: JSON both ways, refusals with their code. */

/** A refusal, or an answer that is none: `code` names it, the message says what to do. */
export class Refused extends Error {
  constructor(/** @type {string} */ code, /** @type {string} */ message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} address
 * @param {any} [body]  sent as JSON
 * @returns {Promise<any>}
 * @throws {Refused}
 */
export async function ask(method, address, body) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token?.value ?? "" };
  const answer = await fetch(address, { method, headers, body: body && JSON.stringify(body) }).catch(() => null);
  if (answer === null) throw new Refused("server_unreachable", "The server cannot be reached. Try again.");
  const said = await answer.json().catch(() => null);
  if (answer.ok && said) return said;
  throw new Refused(said?.code ?? `status_${answer.status}`, said?.message ?? "That did not work. Load the page again.");
}

/** A refusal for the page: its sentence and its code. */
export function refusalNotice(/** @type {Refused} */ { code, message }) {
  const notice = document.createElement("p");
  notice.className = "refusal bad";
  notice.setAttribute("role", "alert");
  notice.append(`${message} `, Object.assign(document.createElement("code"), { textContent: code }));
  return notice;
}
