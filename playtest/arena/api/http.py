"""Requests and replies over ASGI, as far as this API needs them."""

import gzip
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any

from asgiref.typing import HTTPScope

from playtest.arena.api.errors import VALIDATION, ApiError, invalid

type Receive = Callable[[], Awaitable[Any]]
type Send = Callable[[Any], Awaitable[None]]

MOST_BODY_BYTES = 256 * 1024
_WORTH_COMPRESSING = 2 * 1024
_JSON = "application/json"


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
    """A reply: a body and its type."""

    body: bytes
    status: HTTPStatus = HTTPStatus.OK
    content_type: str = _JSON
    headers: Mapping[str, str] = field(default_factory=dict)


def json_reply(
    data: Any, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Reply:
    """A reply with this JSON."""
    return Reply(json.dumps(data, separators=(",", ":")).encode(), status, headers=headers or {})


def error_reply(error: ApiError) -> Reply:
    """The JSON of an error."""
    return json_reply(error.body, error.status, error.headers)


async def read_request(scope: HTTPScope, receive: Receive) -> Request:
    """The request with its body. ApiError 413; ClientGone."""
    headers = {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}
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
    body = reply.body
    sent = {"content-type": reply.content_type, "cache-control": "no-store", **headers, **reply.headers}
    if len(body) > _WORTH_COMPRESSING:
        sent["vary"] = "Accept-Encoding"
        if gzip_accepted:
            body = gzip.compress(body, compresslevel=1, mtime=0)
            sent["content-encoding"] = "gzip"
    sent["content-length"] = str(len(body))
    pairs = [(name.lower().encode(), value.encode("latin1")) for name, value in sent.items()]
    await send({"type": "http.response.start", "status": int(reply.status), "headers": pairs})
    await send({"type": "http.response.body", "body": body})


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
