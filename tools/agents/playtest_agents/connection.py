"""JSON over one kept-alive HTTP connection, with retries where an answer was lost or is promised later.

Its errors have a code and a sentence that says what to do:

AgentError
└── ApiError: the server has answered with an error; `status` is that of HTTP
"""

import time
import uuid
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import requests

MOST_TRIES = 6
"""Tries of one request before the server counts as unreachable, the first included."""
MOST_WAITS = 30
"""How often one request may be answered with 429 before the run ends."""
LONGEST_WAIT = 60.0
_FIRST_PAUSE = 0.25
_BUSY = (502, 503, 504)

type Sleep = Callable[[float], object]


class AgentError(Exception):
    """A run cannot go on. `code` is snake_case and stable (docs/agents.md lists them)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class ApiError(AgentError):
    """The server refused a request: `answer_code` is the code in its JSON answer, empty without one."""

    def __init__(self, status: int, answer_code: str, message: str) -> None:
        code = "key_refused" if status == 401 else "request_refused"
        super().__init__(code, f"The server answered {status} {answer_code}: {message}".replace(" :", ":"))
        self.status = status
        self.answer_code = answer_code


class Connection:
    """Sends requests to one server. Cookies are kept, because a load balancer may choose a process by them.

    A request without an answer, or with 502 to 504, is sent again after a pause, which doubles from 0.25 s.
    Each POST carries an Idempotency-Key, the same in every try, so that a server that knows it carries the
    request out once. After 429 it waits as long as Retry-After says, at most a minute.

    Raises AgentError: url_invalid, server_unreachable, rate_limited, answer_malformed; ApiError for every
    other answer that is not 2xx.
    """

    def __init__(
        self, url: str, headers: Mapping[str, str], *, seconds: float = 30.0, sleep: Sleep = time.sleep
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise AgentError("url_invalid", f"{url!r} is no address: begin it with http:// or https://.")
        self._url = url.rstrip("/")
        self._seconds = seconds
        self._sleep = sleep
        self._session = requests.Session()
        self._session.headers.update({"Accept": "application/json", **headers})

    def get(self, path: str) -> Any:
        """The JSON of an answer."""
        return self._request("GET", path)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON of an answer; `body` is sent as JSON."""
        return self._request("POST", path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})

    def _request(self, method: str, path: str, **options: Any) -> Any:
        lost = waited = 0
        while True:
            answer = self._answer(method, path, options)
            if isinstance(answer, requests.Response) and answer.status_code == 429:
                waited += 1
                if waited > MOST_WAITS:
                    raise AgentError("rate_limited", f"{self._url} answered 429 {waited} times.")
                self._sleep(_seconds_to_wait(answer, _FIRST_PAUSE * 2**waited))
            elif isinstance(answer, requests.Response) and answer.status_code not in _BUSY:
                return _content(answer)
            else:
                lost += 1
                if lost == MOST_TRIES:
                    raise _unreachable(self._url + path, answer)
                self._sleep(_FIRST_PAUSE * 2 ** (lost - 1))

    def _answer(self, method: str, path: str, options: dict[str, Any]) -> requests.Response | Exception:
        """The answer, or why there is none."""
        try:
            return self._session.request(method, self._url + path, timeout=self._seconds, **options)
        except (
            requests.ConnectionError,
            requests.Timeout,
            requests.exceptions.ChunkedEncodingError,
            requests.exceptions.ContentDecodingError,
        ) as error:
            return error
        except (requests.RequestException, ValueError) as error:
            raise AgentError("url_invalid", f"{self._url}{path} cannot be requested: {error}") from error

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unreachable(url: str, answer: requests.Response | Exception) -> AgentError:
    reason = answer if isinstance(answer, Exception) else f"it answers {answer.status_code}"
    return AgentError("server_unreachable", f"No answer from {url} in {MOST_TRIES} tries: {reason}")


def _seconds_to_wait(answer: requests.Response, otherwise: float) -> float:
    """As Retry-After says in seconds. Dates and nonsense there count as missing."""
    try:
        asked = float(answer.headers.get("Retry-After", otherwise))
    except ValueError:
        asked = otherwise
    return min(max(asked, 0.0), LONGEST_WAIT) if asked == asked else otherwise


def _content(answer: requests.Response) -> Any:
    try:
        content = answer.json()
    except requests.exceptions.JSONDecodeError as error:
        if answer.ok:
            message = f"{answer.url} did not answer with JSON: {answer.text[:200]!r}"
            raise AgentError("answer_malformed", message) from error
        content = {}
    if answer.ok:
        return content
    raise ApiError(answer.status_code, *_refusal(content, answer))


def _refusal(content: Any, answer: requests.Response) -> tuple[str, str]:
    """The code and the sentence of an error: the official servers' and those of chat endpoints."""
    found = content if isinstance(content, dict) else {}
    error = found.get("error", "")
    if isinstance(error, dict):
        return str(error.get("code") or error.get("type") or ""), str(error.get("message", ""))
    return str(error), str(found.get("message") or answer.reason)
