"""The addresses of the sockets of play, and which pages may open one: any other is refused."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import path, re_path
from django.utils.http import is_same_domain

from playtest.play.page.consumers import InternalPlayConsumer, SessionConsumer

websocket_urlpatterns = [
    path("ws/session/", SessionConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/internal/<int:pk>/", InternalPlayConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", WebsocketDenier.as_asgi()),  # type: ignore[arg-type]
]


type Application = Callable[[Any, Any, Any], Awaitable[None]]
_PORTS = {"http": 80, "https": 443}


class SameOrigin:
    """Refuses (403) a WebSocket whose Origin is not the address it was asked for: scheme, host and port.

    An origin of TRUSTED_ORIGINS may too, as with forms.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin1").lower() for name in (b"origin", b"host"))
        application = self._application if allowed(origin, host) else WebsocketDenier.as_asgi()
        await application(scope, receive, send)


def allowed(origin: str, host: str) -> bool:
    """Whether a page of `origin` may open a socket at `host`, as its headers write them, in lower case."""
    domain, _ = split_domain_port(host)
    if not origin or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    here = f"{'https' if settings.HTTPS else 'http'}://{host}"
    return any(_matches(origin, other) for other in (here, *settings.CSRF_TRUSTED_ORIGINS))


def _matches(origin: str, other: str) -> bool:
    """Equal, but for a port left out, and for a domain that begins with `*.`."""
    try:
        one, wanted = urlsplit(origin), urlsplit(other.lower())
        same_place = one.scheme == wanted.scheme and _port(one) == _port(wanted)
    except ValueError:
        return False
    pattern = (wanted.hostname or "").removeprefix("*")
    return same_place and bool(one.hostname) and is_same_domain(one.hostname or "", pattern)


def _port(address: SplitResult) -> int | None:
    return address.port or _PORTS.get(address.scheme)
