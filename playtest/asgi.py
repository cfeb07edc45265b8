"""The ASGI application: pages through Django, the participant's socket through Channels."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from django.urls import resolve  # noqa: E402

resolve("/")  # imports every page now, which takes a second or more, not at the first request

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.urls import path  # noqa: E402

from playtest.arena.api import application as api  # noqa: E402
from playtest.arena.api import socket as agents_socket  # noqa: E402
from playtest.arena.api.http import SOCKET_PATH  # noqa: E402
from playtest.center.stations.consumers import StationConsumer  # noqa: E402
from playtest.center.wall.consumers import WallConsumer  # noqa: E402
from playtest.operation.counted import server_errors  # noqa: E402
from playtest.operation.metrics import application as metrics  # noqa: E402
from playtest.play.page.consumers import SameOrigin, websocket_urlpatterns  # noqa: E402
from playtest.serve import health  # noqa: E402
from playtest.serve.draining import draining  # noqa: E402

type Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

of_staff = [path("ws/station/", StationConsumer.as_asgi()), path("ws/wall/", WallConsumer.as_asgi())]  # type: ignore[arg-type]
socket_application = URLRouter([*of_staff, *websocket_urlpatterns])  # type: ignore[list-item]


def counted(application: Application) -> Application:
    """The same application; its answers 5xx are counted."""

    async def run(scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def watched(message: dict[str, Any]) -> None:
            if message.get("status", 0) >= HTTPStatus.INTERNAL_SERVER_ERROR:
                await asyncio.to_thread(server_errors.count)
            await send(message)

        await application(scope, receive, watched)

    return run


counted_pages, counted_api = counted(django_application), counted(api.application)
page_sockets = SameOrigin(CookieMiddleware(socket_application))


async def sockets(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Sockets of pages, which cookies open, and that of agents, which a key opens from anywhere."""
    of_agents = scope["path"] == SOCKET_PATH
    await (agents_socket.application if of_agents else page_sockets)(scope, receive, send)


async def http_application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Pages and data for scripts; beside Django `/healthz`, which must not wait, and the API for agents."""
    path = f"/{scope['path'].lstrip('/')}/"
    if path.startswith(api.PREFIX) and not path.startswith(api.DATA):
        await counted_api(scope, receive, send)
    elif scope["path"] in health.PATHS:
        await health.application(scope, receive, send)
    elif scope["path"] == metrics.PATH:
        await metrics.application(scope, receive, send)
    else:
        await counted_pages(scope, receive, send)


application = ProtocolTypeRouter({"http": http_application, "websocket": draining.around(sockets)})
