"""Requests, their JSON fields, replies and errors over ASGI, as far as this API needs them."""

import json
import re
import uuid
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any

from asgiref.typing import HTTPScope
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from playtest.serve.deployment import from_this_machine

# The codes of arc_agi (`models.APIError`), and that of the official server's limit.
VALIDATION = "VALIDATION_ERROR"
SERVER = "SERVER_ERROR"
NOT_STARTED = "GAME_NOT_STARTED_ERROR"
NOT_AVAILABLE = "GAME_NOT_AVAILABLE_ERROR"
RATE_LIMIT = "RATE_LIMIT_EXCEEDED"
# Ours, where the original has none.
UNAUTHORIZED = "UNAUTHORIZED"
NOT_FOUND = "NOT_FOUND"
METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
HOST_UNKNOWN = "HOST_UNKNOWN"
BUDGET_SPENT = "BUDGET_SPENT"
ARENA_CLOSED = "ARENA_CLOSED"
type Receive = Callable[[], Awaitable[Any]]
type Send = Callable[[Any], Awaitable[None]]
SOCKET_PATH = "/api/socket"
MOST_BODY_BYTES = 256 * 1024
"""Also of a message over the socket."""
_WORTH_COMPRESSING = 2 * 1024
_compact_json = json.JSONEncoder(separators=(",", ":")).encode  # `json.dumps` would make an encoder each time
_GZIP, _WINDOW_BITS, _MEMORY_LEVEL = 16, 13, 5
"""zlib's name for the gzip format; 8 KB, as `engine.play.frames`."""
JSON = "application/json"
MOST_STORED_BYTES = 16 * 1024
"""The most bytes of `opaque` and of `reasoning`, as compact JSON in ASCII."""
LONGEST_REQUEST_KEY = 64
_OF_PROXIES = {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"}
_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")


class ApiError(Exception):
    """A request that is answered with an error; nothing was carried out and nothing counted."""

    def __init__(
        self, status: HTTPStatus, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})

    @property
    def body(self) -> dict[str, str]:
        """The answer's body."""
        return {"error": self.code, "message": self.message}


def invalid(message: str, code: str = VALIDATION) -> ApiError:
    """400: the request cannot be understood or is not allowed now."""
    return ApiError(HTTPStatus.BAD_REQUEST, code, message)


def not_found(message: str, code: str = SERVER) -> ApiError:
    """404: there is no such thing, or it belongs to another key."""
    return ApiError(HTTPStatus.NOT_FOUND, code, message)


def busy(message: str) -> ApiError:
    """503: nothing is known to have been carried out; the client repeats it, best with Idempotency-Key."""
    return ApiError(HTTPStatus.SERVICE_UNAVAILABLE, SERVER, message, {"Retry-After": "1"})


def host_known(headers: Mapping[str, str]) -> bool:
    """Whether a request names this server by one of ALLOWED_HOSTS, as Django asks of pages."""
    domain, _ = split_domain_port(headers.get("host", "").lower())
    return validate_host(domain, settings.ALLOWED_HOSTS)


def is_local(scope: Any, headers: Mapping[str, str]) -> bool:
    """Whether it comes from this machine, to a server that nobody else can reach, and by no proxy."""
    peer, _ = scope.get("client") or ("", 0)
    return from_this_machine(peer) and not _OF_PROXIES & headers.keys()


class ClientGone(Exception):
    """The client went away before its request was complete."""


@dataclass(frozen=True)
class Request:
    """One request with its whole body. Names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The JSON object of the body. ApiError 400."""
        return json_object(self.body, "The body")


@dataclass(frozen=True)
class Reply:
    """A reply: a body and its type. `parts` are sent one by one instead of the body, if there are any."""

    body: bytes
    status: HTTPStatus = HTTPStatus.OK
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    parts: AsyncIterator[bytes] | None = None


def json_reply(
    data: Any, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Reply:
    """A reply with this JSON."""
    return Reply(compact_json(data), status, headers=headers or {})


def compact_json(data: Any) -> bytes:
    """JSON without a space."""
    return _compact_json(data).encode()


def error_reply(error: ApiError) -> Reply:
    """The JSON of an error."""
    return json_reply(error.body, error.status, error.headers)


def headers_of(scope: Any) -> dict[str, str]:
    """The headers of a request, with names in lower case."""
    return {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}


async def read_request(scope: HTTPScope, receive: Receive, headers: Mapping[str, str]) -> Request:
    """The request with its body. ApiError 413; ClientGone."""
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > MOST_BODY_BYTES:
        raise _too_large()
    parts, length = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > MOST_BODY_BYTES:
            raise _too_large()
        if not message.get("more_body", False):
            return Request(scope["method"], scope["path"], headers, b"".join(parts))


async def send_reply(send: Send, reply: Reply, *, gzip_accepted: bool, headers: Mapping[str, str]) -> None:
    """Send a reply, compressed if that is accepted and worthwhile."""
    sent = {"content-type": reply.content_type, "cache-control": "no-store", **headers, **reply.headers}
    machine = None
    if reply.parts is not None or len(reply.body) > _WORTH_COMPRESSING:
        sent["vary"] = "Accept-Encoding"
        if gzip_accepted:
            machine, sent["content-encoding"] = _gzip_machine(), "gzip"
    body = reply.body
    if reply.parts is None:
        body = machine.compress(body) + machine.flush() if machine else body
        sent["content-length"] = str(len(body))
    pairs = [(name.lower().encode(), value.encode("latin1")) for name, value in sent.items()]
    await send({"type": "http.response.start", "status": int(reply.status), "headers": pairs})
    if reply.parts is not None:
        async for part in reply.parts:
            data = machine.compress(part) if machine else part
            await send({"type": "http.response.body", "body": data, "more_body": True})
        body = machine.flush() if machine else b""
    await send({"type": "http.response.body", "body": body})


def _gzip_machine() -> Any:
    """A deflater with a window of a frame's size: one of the usual size takes longer to make than to use."""
    return zlib.compressobj(1, zlib.DEFLATED, _GZIP + _WINDOW_BITS, _MEMORY_LEVEL)


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Whether Accept-Encoding names gzip without refusing it."""
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _too_large() -> ApiError:
    message = f"A body has at most {MOST_BODY_BYTES:,} bytes here."
    return ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, VALIDATION, message)


def json_object(written: str | bytes, what: str) -> dict[str, Any]:
    """The JSON object in a text; `what` names that in the error. ApiError 400."""
    try:
        data = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise invalid(f"{what} must be a JSON object in UTF-8.") from error
    if type(data) is not dict:
        raise invalid(f"{what} must be a JSON object.")
    return data


def text(data: dict[str, Any], name: str, most: int = 500) -> str | None:
    """A string, None if it is missing or null."""
    value = data.get(name)
    if value is None:
        return None
    if type(value) is not str or len(value) > most or not storable(value):
        raise invalid(f"`{name}` must be a string of at most {most} characters.")
    return value


def required_text(data: dict[str, Any], name: str) -> str:
    """A string that must be given."""
    value = text(data, name)
    if not value:
        raise invalid(f"missing `{name}`: every request here needs it, as a string.")
    return value


def flag(data: dict[str, Any], name: str) -> bool:
    """A boolean, false if it is missing or null."""
    value = data.get(name)
    if value is not None and type(value) is not bool:
        raise invalid(f"`{name}` must be true or false.")
    return bool(value)


def texts(data: dict[str, Any], name: str) -> list[str]:
    """A list of at most 100 strings of at most 200 characters, empty if it is missing or null."""
    value = data.get(name)
    if value is None:
        return []
    if type(value) is not list or len(value) > 100:
        raise invalid(f"`{name}` must be a list of at most 100 strings.")
    if not all(type(one) is str and len(one) <= 200 and storable(one) for one in value):
        raise invalid(f"`{name}` must hold strings of at most 200 characters.")
    return value


def cell(data: dict[str, Any]) -> tuple[int, int]:
    """The x and y of ACTION6."""
    for name in ("x", "y"):
        value = data.get(name)
        if value is None:
            raise invalid(f"ACTION6 needs `x` and `y`: `{name}` is missing.")
        if type(value) is not int or not 0 <= value <= 63:
            raise invalid(f"`{name}` must be a whole number from 0 to 63.")
    return data["x"], data["y"]


def stored_json(data: dict[str, Any], name: str) -> tuple[Any, str]:
    """Any JSON of at most 16 KiB, and its compact text; None and "" if it is missing or null."""
    value = data.get(name)
    if value is None:
        return None, ""
    try:
        dumped = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise invalid(f"`{name}` must be JSON with finite numbers.") from error
    if len(dumped) > MOST_STORED_BYTES:
        raise invalid(
            f"`{name}` has {len(dumped):,} bytes of JSON; at most {MOST_STORED_BYTES:,} are stored."
        )
    return value, dumped


def opaque(data: dict[str, Any]) -> Any:
    """What an agent stores with a card."""
    value, _ = stored_json(data, "opaque")
    try:
        if storable(value):
            return value
    except RecursionError:
        pass
    raise invalid("`opaque` must not contain NUL or half of a surrogate pair, or be nested deeply.")


def object_in_text(value: Any, dumped: str) -> str:
    """The compact JSON to store for `reasoning`: the official client sends its object as a string."""
    if type(value) is str:
        try:
            inner = json.loads(value)
            if type(inner) in (dict, list):
                return json.dumps(inner, separators=(",", ":"), allow_nan=False)
        except (ValueError, RecursionError):
            pass
    return dumped


def request_key(headers: Any) -> str:
    """The Idempotency-Key, "" without one."""
    value: str = headers.get("idempotency-key", "")
    if len(value) > LONGEST_REQUEST_KEY or not value.isascii() or not value.isprintable():
        raise invalid(f"An Idempotency-Key has at most {LONGEST_REQUEST_KEY} printable ASCII characters.")
    return value


def repeatable_id(owner: object, key: str) -> uuid.UUID | None:
    """The same id for the same owner and Idempotency-Key, so that a repeated request makes one thing."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{owner}/{key}") if key else None


def storable(value: Any) -> bool:
    """Whether both databases store this JSON: no NUL and no half of a surrogate pair in a string."""
    match value:
        case str():
            return _NOT_STORABLE.search(value) is None
        case list():
            return all(map(storable, value))
        case dict():
            return all(storable(name) and storable(one) for name, one in value.items())
    return True
