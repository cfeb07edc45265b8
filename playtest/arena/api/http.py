"""Requests and replies over ASGI, as far as this API needs them."""

import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any

from asgiref.typing import HTTPScope

from playtest.arena.api.errors import VALIDATION, ApiError, invalid

type Receive = Callable[[], Awaitable[Any]]
type Send = Callable[[Any], Awaitable[None]]

SOCKET_PATH = "/api/socket"
MOST_BODY_BYTES = 256 * 1024
"""Also of a message over the socket."""
_WORTH_COMPRESSING = 2 * 1024
_compact_json = json.JSONEncoder(separators=(",", ":")).encode  # `json.dumps` would make an encoder each time
_GZIP, _WINDOW_BITS, _MEMORY_LEVEL = 16, 13, 5  # zlib's name for the gzip format; 8 KB, as `engine.frames`
JSON = "application/json"


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
        try:
            data = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise invalid("The body must be a JSON object in UTF-8.") from error
        if type(data) is not dict:
            raise invalid("The body must be a JSON object.")
        return data


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
    if reply.parts is not None:
        await _send_parts(send, reply, reply.parts, gzip_accepted=gzip_accepted, headers=headers)
        return
    body = reply.body
    sent = {"content-type": reply.content_type, "cache-control": "no-store", **headers, **reply.headers}
    if len(body) > _WORTH_COMPRESSING:
        sent["vary"] = "Accept-Encoding"
        if gzip_accepted:
            machine = _gzip_machine()
            body = machine.compress(body) + machine.flush()
            sent["content-encoding"] = "gzip"
    sent["content-length"] = str(len(body))
    await _send_start(send, reply, sent)
    await send({"type": "http.response.body", "body": body})


async def _send_start(send: Send, reply: Reply, headers: Mapping[str, str]) -> None:
    pairs = [(name.lower().encode(), value.encode("latin1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(reply.status), "headers": pairs})


async def _send_parts(
    send: Send, reply: Reply, parts: AsyncIterator[bytes], *, gzip_accepted: bool, headers: Mapping[str, str]
) -> None:
    sent = {"content-type": reply.content_type, "cache-control": "no-store", **headers, **reply.headers}
    sent["vary"] = "Accept-Encoding"
    machine = _gzip_machine() if gzip_accepted else None
    if machine is not None:
        sent["content-encoding"] = "gzip"
    await _send_start(send, reply, sent)
    async for part in parts:
        data = part if machine is None else machine.compress(part)
        await send({"type": "http.response.body", "body": data, "more_body": True})
    await send({"type": "http.response.body", "body": b"" if machine is None else machine.flush()})


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
