"""The ASGI application for everything under `/api/`: routes, keys, errors, cookies, compression.

It does without Django's handlers: an action costs a rate check, a step and a commit.
"""

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from inspect import getdoc
from typing import Any

from django.conf import settings

from playtest.arena.api import cards, commands, games, recordings
from playtest.arena.api.errors import METHOD_NOT_ALLOWED, NOT_FOUND, SERVER, ApiError, not_found
from playtest.arena.api.http import (
    ClientGone,
    Receive,
    Reply,
    Request,
    Send,
    accepts_gzip,
    error_reply,
    headers_of,
    json_reply,
    read_request,
    send_reply,
)
from playtest.arena.api.known_keys import known_keys
from playtest.arena.api.openapi import DOCUMENT

logger = logging.getLogger(__name__)

PREFIX = "/api/"
COOKIE = "playtest-process"
_PROCESS = secrets.token_hex(8)
"""This process, for load balancers that send a client back to where its games are."""

type Endpoint = Callable[..., Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one address; the groups of `pattern` are arguments of the endpoint."""

    method: str
    pattern: re.Pattern[str]
    endpoint: Endpoint
    needs_key: bool = True

    @property
    def address(self) -> str:
        """The address with an ellipsis for each part that varies."""
        return re.sub(r"\(.*?\)", "…", self.pattern.pattern).replace("\\", "")

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (getdoc(self.endpoint) or "").partition("\n")[0]


async def _healthcheck(request: Request) -> Reply:
    """Answers okay."""
    return Reply(b"okay", content_type="text/plain; charset=utf-8")


async def _openapi(request: Request) -> Reply:
    """Answers the OpenAPI document."""
    return json_reply(DOCUMENT)


def _route(method: str, pattern: str, endpoint: Endpoint, *, needs_key: bool = True) -> Route:
    return Route(method, re.compile(PREFIX + pattern), endpoint, needs_key)


ROUTES = (
    _route("POST", "cmd/(RESET|ACTION[1-7])", commands.command),
    _route("GET", "healthcheck", _healthcheck, needs_key=False),
    _route("GET", r"openapi\.json", _openapi, needs_key=False),
    _route("GET", "games", games.list_games),
    _route("GET", "games/([^/]+)", games.read_game),
    _route("GET", "games/([^/]+)/source", games.read_source),
    _route("GET", "recordings/([^/]+)/([^/]+)", recordings.read_recording),
    _route("POST", "scorecard/open", cards.open_scorecard),
    _route("POST", "scorecard/close", cards.close_scorecard),
    _route("POST", "scorecard/heartbeat", cards.keep_scorecard),
    _route("GET", "scorecard/([^/]+)", cards.read_scorecard),
    _route("GET", "scorecard/([^/]+)/([^/]+)", cards.read_scorecard),
)


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answers one request; every error is JSON."""
    headers = headers_of(scope)
    try:
        reply = await _answer(scope, receive, headers)
    except ClientGone:
        return
    except ApiError as error:
        reply = error_reply(error)
    except Exception:
        logger.exception("the API failed at %s %s", scope["method"], scope["path"])
        reply = error_reply(application_error())
    if scope["method"] == "HEAD":
        reply = Reply(b"", reply.status, reply.content_type, reply.headers)
    await send_reply(send, reply, gzip_accepted=accepts_gzip(headers), headers=_affinity(headers))


def application_error() -> ApiError:
    """500, for what this server did not expect."""
    message = "The server failed. Nothing is known to have been carried out: read the scorecard."
    return ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, SERVER, message)


async def _answer(scope: dict[str, Any], receive: Receive, headers: dict[str, str]) -> Reply:
    route, arguments = find_route(scope["method"], scope["path"])
    if not route.needs_key:
        return await route.endpoint(await read_request(scope, receive, headers), *arguments)  # type: ignore[arg-type]
    secret = next((value for name, value in scope["headers"] if name.lower() == b"x-api-key"), b"")
    key = await known_keys.key_of(secret.decode("latin1"))
    return await route.endpoint(await read_request(scope, receive, headers), key, *arguments)  # type: ignore[arg-type]


def find_route(method: str, path: str) -> tuple[Route, tuple[str, ...]]:
    """The route of a request, and what its address names. ApiError 404, 405."""
    asked = "GET" if method == "HEAD" else method
    allowed = []
    for route in ROUTES:
        if match := route.pattern.fullmatch(path):
            if route.method == asked:
                return route, match.groups()
            allowed.append(route.method)
    if not allowed:
        raise not_found("There is nothing at this address. See /api/openapi.json.", NOT_FOUND)
    message = f"{method} is not possible here."
    headers = {"Allow": ", ".join(sorted(set(allowed)))}
    raise ApiError(HTTPStatus.METHOD_NOT_ALLOWED, METHOD_NOT_ALLOWED, message, headers)


def _affinity(headers: dict[str, str]) -> dict[str, str]:
    """The cookie that names this process, unless the client has it."""
    pair = f"{COOKIE}={_PROCESS}"
    if pair in headers.get("cookie", ""):
        return {}
    secure = "; Secure" if settings.HTTPS else ""
    return {"set-cookie": f"{pair}; Path={PREFIX}; HttpOnly; SameSite=Lax{secure}"}
