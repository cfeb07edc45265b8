"""A minimal socket server: answers every message at once with the bytes of a usual turn."""

from collections.abc import Awaitable, Callable
from typing import Any

ANSWER = bytes(96)


async def application(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    if scope["type"] != "websocket":
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "bytes": ANSWER})
