"""The ASGI application for agents under `/api/`: routes, keys, errors, cookies, and actions as JSON.

It does without Django's handlers: an action costs a rate check, a step and a commit.
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from inspect import getdoc
from typing import Any

import numpy as np
from django.conf import settings

from engine.play.actions import CLICK, RESET, Action
from engine.play.frames import PALETTE, SIZE, Frame
from playtest.arena.api import cards, games, http
from playtest.arena.api.acting import Command, Played, carry_out
from playtest.arena.api.http import ApiError, Reply, Request
from playtest.arena.api.openapi import DOCUMENT
from playtest.arena.api.turns import in_turn, known_keys, use_agents_thread
from playtest.arena.models import ApiKey

logger = logging.getLogger(__name__)

PREFIX, DATA = "/api/", "/api/data/"
"""Of the API, and below it the tables of studies, which `review.views.read_tokens` answers."""
COOKIE = "playtest-process"
_PROCESS = secrets.token_hex(8)
"""This process, for load balancers that send a client back to where its games are."""

type Endpoint = Callable[..., Coroutine[Any, Any, Reply]]
UNAVAILABLE = "X-Unavailable-Action"
FULL_RESET = "X-Full-Reset"
REPEATED = "X-Repeated-Request"
_SLOWER_THAN = 32  # frames of an action whose JSON is made beside the event loop
_ONE_CHARACTER = b"0123456789abcdef"
_TABLE = bytes.maketrans(bytes(range(len(PALETTE))), _ONE_CHARACTER)
_TWO_CHARACTERS = [(_ONE_CHARACTER[at : at + 1], b"%d" % at) for at in range(10, len(PALETTE))]
_ROWS = np.array([list(b"[" + b"0," * (SIZE - 1) + b"0],")] * SIZE, dtype=np.uint8)
_CELLS = np.s_[:, 1:-2:2]


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one address; the groups of `pattern` are arguments of the endpoint."""

    method: str
    pattern: re.Pattern[str]
    endpoint: Endpoint
    needs_key: bool = True
    limited: bool = True
    """Whether its requests count towards the limit of a key, and are refused while the arena is closed."""

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
    return http.json_reply(DOCUMENT)


def _route(
    method: str, pattern: str, endpoint: Endpoint, *, needs_key: bool = True, limited: bool = True
) -> Route:
    return Route(method, re.compile(PREFIX + pattern), endpoint, needs_key, limited)


async def command(request: Request, key: ApiKey, name: str) -> Reply:
    """Carries out RESET or an action."""
    wanted = read_command(request, name)
    played = await carry_out(wanted, key)
    many = len(played.frames) > _SLOWER_THAN
    shown = await asyncio.to_thread(frames_json, played.frames) if many else frames_json(played.frames)
    rest = http.compact_json(facts(request, wanted, played))
    return Reply(b'{"frame":' + shown + b"," + rest[1:], headers=reply_headers(played))


def read_command(request: Request, name: str) -> Command:
    """The command in a request to `/api/cmd/` with this name. ApiError 400."""
    action, data = RESET if name == "RESET" else int(name[-1]), request.fields
    game_id = http.required_text(data, "game_id")
    guid, card_id = http.text(data, "guid"), http.text(data, "card_id")
    x, y = http.cell(data) if action == CLICK else (None, None)
    reasoning, dumped = http.stored_json(data, "reasoning")
    if action == RESET and not guid and not card_id:
        raise http.invalid("missing `card_id`: RESET without a `guid` begins a run on a card.")
    if action != RESET and not guid:
        raise http.invalid("missing `guid` for any action other than RESET")
    return Command(
        Action(action, x, y),
        game_id,
        guid,
        card_id,
        http.object_in_text(reasoning, dumped),
        http.request_key(request.headers),
    )


def facts(request: Request, wanted: Command, played: Played) -> dict[str, Any]:
    """What is known beside the frames. `full_reset` is false, as in the original (docs/api.md)."""
    turn = played.turn
    return {
        "game_id": wanted.game_id,
        "state": turn.state,
        "levels_completed": turn.levels_completed,
        "win_levels": turn.levels,
        "action_input": _echo(request, wanted, played),
        "guid": str(played.run.run.guid),
        "full_reset": False,
        "available_actions": list(turn.available_actions),
    }


def reply_headers(played: Played) -> dict[str, str]:
    """What the headers of a reply say."""
    told = {UNAVAILABLE: played.unavailable, FULL_RESET: played.full_reset, REPEATED: played.repeated}
    return {name: "true" for name, is_so in told.items() if is_so}


def _echo(request: Request, wanted: Command, played: Played) -> dict[str, Any]:
    if played.begun:
        return {"id": RESET, "data": {}, "reasoning": None}
    data = {"game_id": wanted.game_id, **wanted.action.data}
    return {"id": wanted.action.id, "data": data, "reasoning": request.fields.get("reasoning")}


def frames_json(frames: Sequence[Frame]) -> bytes:
    """The JSON of frames as lists of rows of colours, `[[[0,1,...],...],...]`, without a space."""
    return b"[" + b",".join(map(_frame_json, frames)) + b"]"


def _frame_json(frame: Frame) -> bytes:
    rows = _ROWS.copy()
    rows[_CELLS] = np.frombuffer(frame.tobytes().translate(_TABLE), dtype=np.uint8).reshape(SIZE, SIZE)
    text = rows.tobytes()[:-1]
    for one, two in _TWO_CHARACTERS:
        text = text.replace(one, two)
    return b"[" + text + b"]"


ROUTES = (
    _route("POST", "cmd/(RESET|ACTION[1-7])", command),
    _route("GET", "healthcheck", _healthcheck, needs_key=False),
    _route("GET", r"openapi\.json", _openapi, needs_key=False),
    _route("GET", "games", games.list_games),
    _route("GET", "games/([^/]+)", games.read_game),
    _route("GET", "games/([^/]+)/source", games.read_source),
    _route("GET", "recordings/([^/]+)/([^/]+)", games.read_recording),
    _route("POST", "scorecard/open", cards.open_scorecard),
    _route("POST", "scorecard/close", cards.close_scorecard, limited=False),
    _route("POST", "scorecard/heartbeat", cards.keep_scorecard, limited=False),
    _route("GET", "scorecard/([^/]+)", cards.read_scorecard, limited=False),
    _route("GET", "scorecard/([^/]+)/([^/]+)", cards.read_scorecard, limited=False),
)


async def application(scope: dict[str, Any], receive: http.Receive, send: http.Send) -> None:
    """Answers one request; every error is JSON."""
    use_agents_thread()
    headers = http.headers_of(scope)
    try:
        reply = await _answer(scope, receive, headers)
    except http.ClientGone:
        return
    except ApiError as error:
        reply = http.error_reply(error)
    except Exception:
        logger.exception("the API failed at %s %s", scope["method"], scope["path"])
        reply = http.error_reply(application_error())
    if scope["method"] == "HEAD":
        reply = Reply(b"", reply.status, reply.content_type, reply.headers)
    await http.send_reply(send, reply, gzip_accepted=http.accepts_gzip(headers), headers=_affinity(headers))


def application_error() -> ApiError:
    """500, for what this server did not expect."""
    message = "The server failed. Nothing is known to have been carried out: read the scorecard."
    return ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, http.SERVER, message)


async def _answer(scope: dict[str, Any], receive: http.Receive, headers: dict[str, str]) -> Reply:
    if not http.host_known(headers):
        message = "This server has another name: ask for it by one of ALLOWED_HOSTS."
        raise http.invalid(message, http.HOST_UNKNOWN)
    # Clients join the address of this server, which may end in a slash, and a path that begins with one.
    route, arguments = find_route(scope["method"], "/" + scope["path"].lstrip("/"))
    if not route.needs_key:
        return await route.endpoint(await http.read_request(scope, receive, headers), *arguments)  # type: ignore[arg-type]
    secret = next((value for name, value in scope["headers"] if name.lower() == b"x-api-key"), b"")
    local = http.is_local(scope, headers)
    key = await known_keys.key_of(secret.decode("latin1"), limited=route.limited and not local, local=local)
    request = await http.read_request(scope, receive, headers)  # type: ignore[arg-type]
    return await carried_out(route, request, key, arguments)


async def carried_out(route: Route, request: Request, key: ApiKey, arguments: Sequence[str]) -> Reply:
    """The reply to a request of a key, in its turn (`turns`). ApiError."""
    opens, limited = "RESET" in arguments, route.limited
    return await in_turn(
        key.pk, lambda: route.endpoint(request, key, *arguments), opens=opens, limited=limited
    )


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
        raise http.not_found("There is nothing at this address. See /api/openapi.json.", http.NOT_FOUND)
    headers = {"Allow": ", ".join(sorted(set(allowed)))}
    message = f"{method} is not possible here: send {headers['Allow']}."
    raise ApiError(HTTPStatus.METHOD_NOT_ALLOWED, http.METHOD_NOT_ALLOWED, message, headers)


def _affinity(headers: dict[str, str]) -> dict[str, str]:
    """The cookie that names this process, unless the client has it."""
    pair = f"{COOKIE}={_PROCESS}"
    if pair in headers.get("cookie", ""):
        return {}
    secure = "; Secure" if settings.HTTPS else ""
    return {"set-cookie": f"{pair}; Path={PREFIX}; HttpOnly; SameSite=Lax{secure}"}
