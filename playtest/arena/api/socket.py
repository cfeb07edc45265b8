"""The socket for agents at `http.SOCKET_PATH`: requests of the REST API as text, actions and turns as bytes.

Every message is in docs/api.md; frames are encoded as on the participants' socket (docs/wire.md). What a
message may do is decided where REST decides it: keys and limits in `turns`, actions in `acting`, everything
else in the endpoints of `application`.
"""

import asyncio
import contextlib
import json
import logging
import struct
import uuid
from http import HTTPStatus
from typing import Any

from autobahn.exception import Disconnected

from engine.play.actions import CLICK, RESET, Action, bits_of
from engine.play.frames import LARGEST_PLAIN_BYTES, deflated, encode
from engine.play.turns import STATES, EncodedFrames
from playtest.arena.api import application as rest
from playtest.arena.api import http
from playtest.arena.api.acting import Command, Played, carry_out
from playtest.arena.api.http import invalid
from playtest.arena.api.turns import in_turn, known_keys, use_agents_thread
from playtest.arena.models import ApiKey
from playtest.serve.connection_limits import SOCKETS_OF_A_KEY, OpenSockets, WaitingConnections

ACTION_LAYOUT = "<BBBBIQ16s"
TURN_LAYOUT = "<BBHIIBBBB16s"
_ACTION, _TURN = struct.Struct(ACTION_LAYOUT), struct.Struct(TURN_LAYOUT)
_ACTION_KIND, _TURN_KIND = 1, 2
FLAGS = ("changed", "level_completed", "full_reset", "deflated", "unavailable", "repeated")
"""The bits of a turn's `flags`, lowest first."""


def request_of(message: bytes) -> int | None:
    """The number of the request in a binary message; None if it is too short to have one."""
    return int.from_bytes(message[4:8], "little") if len(message) >= 8 else None


def parse_action(message: bytes) -> tuple[int, Command]:
    """The number by which an action's answer is known, and the action. ApiError 400."""
    if len(message) != _ACTION.size or message[0] != _ACTION_KIND:
        raise invalid(f"A binary message must be an action of {_ACTION.size} bytes.")
    _, action, x, y, request, key, guid = _ACTION.unpack(message)
    if action > 7:
        raise invalid("`action` must be from 0 (RESET) to 7.")
    if action == CLICK and (x > 63 or y > 63):
        raise invalid("`x` and `y` must be from 0 to 63.")
    if action != CLICK and (x or y):
        raise invalid("Only ACTION6 has `x` and `y`; they are 0 otherwise.")
    made = Action(action, x, y) if action == CLICK else Action(action)
    return request, Command(made, guid=str(uuid.UUID(bytes=guid)), request_key=f"{key:016x}" if key else "")


def turn_message(request: int, played: Played, *, follows: bool) -> bytes:
    """A turn; its first frame is told by its difference if it `follows` what this client was shown last."""
    turn = played.turn
    frames = turn.frames if follows else _from_keyframe(played)
    told = (
        turn.changed,
        turn.level_completed,
        played.full_reset,
        frames.deflated,
        played.unavailable,
        played.repeated,
    )
    header = _TURN.pack(
        _TURN_KIND,
        sum(is_so << bit for bit, is_so in enumerate(told)),
        turn.frame_count,
        request,
        turn.seq,
        turn.level,
        turn.levels_completed,
        STATES.index(turn.state),
        bits_of(turn.available_actions),
        played.run.run.guid.bytes,
    )
    return header + frames.data


def _from_keyframe(played: Played) -> EncodedFrames:
    payload = encode(played.frames, None)
    if len(payload) > LARGEST_PLAIN_BYTES:
        return EncodedFrames(deflated(payload), deflated=True)
    return EncodedFrames(payload)


logger = logging.getLogger(__name__)

MOST_WAITING = 16
SECONDS_FOR_THE_KEY = 10.0
_LARGEST_ID = 2**32 - 1
_MANY_FRAMES = 32  # of an action, beyond which its message is made beside the event loop
_MOST_WITHOUT_KEY = 200
_FIELDS = frozenset({"id", "method", "path", "body", "idempotency_key"})

_open = OpenSockets(SOCKETS_OF_A_KEY)
_waiting = WaitingConnections(_MOST_WITHOUT_KEY)

NO_KEY, TOO_MANY_MESSAGES, SERVER_FAILED = 4001, 4008, 1011
"""Close codes: no key in use, or none in time; too many messages unanswered, or sockets open; see the log."""


async def application(scope: dict[str, Any], receive: http.Receive, send: http.Send) -> None:
    """Serves one connection. What it has begun to carry out is carried out after it has gone, too."""
    use_agents_thread()
    await receive()
    headers = http.headers_of(scope)
    if not http.host_known(headers):
        await send({"type": "websocket.close"})  # before it is accepted: 403
        return
    await send({"type": "websocket.accept"})
    connection = Connection(headers.get("x-api-key", ""), send, local=http.is_local(scope, headers))
    address, _ = scope["client"] or ("", 0)
    _waiting.add(connection, address, lambda: asyncio.ensure_future(connection.end_without_key()))
    worker = asyncio.ensure_future(connection.work())
    try:
        while (message := await receive())["type"] == "websocket.receive":
            await connection.take(message)
    finally:
        worker.cancel()
        connection.release()


class Connection:
    """One client: its messages are answered one after another, in their order."""

    def __init__(self, secret: str, send: http.Send, *, local: bool) -> None:
        self._secret = secret
        self._local = local
        self._send = send
        self._waiting: asyncio.Queue[bytes | str] = asyncio.Queue(MOST_WAITING)
        self._shown: dict[str, tuple[int, int]] = {}
        """By guid, the attempt and seq of the turn that this client was shown last."""
        self._closed = False
        self._owner: int | None = None

    def release(self) -> None:
        """The connection has ended: it no longer counts."""
        _waiting.discard(self)
        owner, self._owner = self._owner, None
        if owner is not None:
            _open.leave(owner)

    async def end_without_key(self) -> None:
        """Others wait, too, and this client has waited the longest with its key."""
        with contextlib.suppress(Disconnected):
            await self._close(NO_KEY)

    async def take(self, message: dict[str, Any]) -> None:
        """Keep a message until those before it are answered."""
        try:
            data = message.get("bytes")
            self._waiting.put_nowait(message["text"] if data is None else data)
        except asyncio.QueueFull:
            await self._close(TOO_MANY_MESSAGES)

    async def work(self) -> None:
        """Answer messages until the connection is closed."""
        try:
            if await self._opened():
                while not self._closed:
                    await self._answer(await self._waiting.get())
        except Disconnected:
            self._closed = True  # nobody reads the answer
        except Exception:
            logger.exception("the socket for agents failed")
            await self._close(SERVER_FAILED)

    async def _opened(self) -> bool:
        """Whether the client has a key: that of the handshake, or of its first message."""
        try:
            if self._secret:
                self._enter(await self._key())
                return True
            async with asyncio.timeout(SECONDS_FOR_THE_KEY):
                first = await self._waiting.get()
            self._secret = _key_in(first)
            key = await self._key()
            self._enter(key)
            await self._say(None, http.json_reply({"per_minute": key.per_minute}))
            return True
        except TimeoutError:
            await self._close(NO_KEY)
        except http.ApiError as error:
            await self._refuse(None, error)
            await self._close(NO_KEY if error.status == HTTPStatus.UNAUTHORIZED else TOO_MANY_MESSAGES)
        return False

    async def _key(self) -> ApiKey:
        """Its key, in its turn. ApiError 401, 429."""
        return await known_keys.key_of(self._secret, limited=not self._local, local=self._local)

    def _enter(self, key: ApiKey) -> None:
        """Count this socket as the key's. ApiError 429."""
        if not _open.enter(key.pk):
            message = f"This key has {SOCKETS_OF_A_KEY} sockets open: close one of them first."
            raise http.ApiError(HTTPStatus.TOO_MANY_REQUESTS, http.RATE_LIMIT, message)
        self._owner = key.pk
        _waiting.discard(self)

    async def _answer(self, message: bytes | str) -> None:
        number = request_of(message) if isinstance(message, bytes) else None
        try:
            key = await self._key()
            if isinstance(message, bytes):
                number, wanted = parse_action(message)
                await self._show(number, await _carried_out(wanted, key))
            else:
                number = _id_in(found := http.json_object(message, "A text message"))
                await self._answer_request(number, _read_request(found), key)
        except http.ApiError as error:
            await self._refuse(number, error)
        except Disconnected:
            raise
        except Exception:
            logger.exception("the socket for agents failed at a message")
            await self._refuse(number, rest.application_error())

    async def _answer_request(self, number: int, request: http.Request, key: ApiKey) -> None:
        route, arguments = rest.find_route(request.method, request.path)
        if route.endpoint is not rest.command:
            if route.needs_key:
                reply = await rest.carried_out(route, request, key, arguments)
            else:
                reply = await route.endpoint(request, *arguments)
            if reply.parts is not None:
                raise http.invalid("Recordings are read over HTTP.")
            await self._say(number, reply)
            return
        wanted = rest.read_command(request, arguments[0])
        played = await _carried_out(wanted, key)
        told = rest.facts(request, wanted, played)
        await self._say(number, http.json_reply(told, headers=rest.reply_headers(played)))
        await self._show(number, played)

    async def _show(self, number: int, played: Played) -> None:
        """Send a turn."""
        guid, turn = str(played.run.run.guid), played.turn
        follows = turn.seq == 0 or self._shown.get(guid) == (played.attempt, turn.seq - 1)
        self._shown[guid] = (played.attempt, turn.seq)
        if follows or len(played.frames) <= _MANY_FRAMES:
            message = turn_message(number, played, follows=follows)
        else:
            message = await asyncio.to_thread(turn_message, number, played, follows=follows)
        await self._send({"type": "websocket.send", "bytes": message})

    async def _refuse(self, number: int | None, error: http.ApiError) -> None:
        await self._say(number, http.json_reply(error.body, error.status, error.headers))
        if error.status == HTTPStatus.UNAUTHORIZED:
            await self._close(NO_KEY)

    async def _say(self, number: int | None, reply: http.Reply) -> None:
        """Send the text answer of a request; text that is no JSON becomes a JSON string."""
        if self._closed:
            return
        start = {"id": number, "status": int(reply.status), "headers": dict(reply.headers)}
        text = reply.body.decode()
        body = text if reply.content_type == http.JSON else json.dumps(text)
        whole = json.dumps(start, separators=(",", ":"))[:-1] + f',"body":{body}}}'
        await self._send({"type": "websocket.send", "text": whole})

    async def _close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": code})


async def _carried_out(wanted: Command, key: ApiKey) -> Played:
    return await in_turn(key.pk, lambda: carry_out(wanted, key), opens=wanted.action.id == RESET)


def _key_in(message: bytes | str) -> str:
    """The key of a first message. ApiError 401."""
    try:
        found = http.json_object(message, "") if isinstance(message, str) else {}
    except http.ApiError:
        found = {}
    if type(found.get("key")) is not str:
        message = 'The key comes in the header X-API-Key, or as the first message, {"key": ...}.'
        raise http.ApiError(HTTPStatus.UNAUTHORIZED, http.UNAUTHORIZED, message)
    return str(found["key"])


def _id_in(found: dict[str, Any]) -> int:
    """The number of a request. ApiError 400."""
    number = found.get("id")
    if type(number) is not int or not 0 <= number <= _LARGEST_ID:
        raise http.invalid(f"`id` must be a whole number from 0 to {_LARGEST_ID}.")
    return number


def _read_request(found: dict[str, Any]) -> http.Request:
    """The request in a text message. ApiError 400."""
    if unknown := set(found) - _FIELDS:
        raise http.invalid(f"A request has no field `{min(unknown)}`.")
    for name in ("method", "path", "idempotency_key"):
        if type(found.get(name, "")) is not str:
            raise http.invalid(f"`{name}` must be a string.")
    headers = {"idempotency-key": found["idempotency_key"]} if "idempotency_key" in found else {}
    try:
        body = json.dumps(found.get("body", {})).encode()
    except RecursionError as error:
        raise http.invalid("`body` must not be nested deeply.") from error
    return http.Request(found.get("method", "POST"), found.get("path", ""), headers, body)
