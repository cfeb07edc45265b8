"""The ASGI application: pages through Django, the participant's socket through Channels."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from django.urls import resolve  # noqa: E402

resolve("/healthz")  # imports every page now: the first request would wait for it, for a second or more

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402

from playtest.play.routing import websocket_urlpatterns  # noqa: E402

socket_application = URLRouter(websocket_urlpatterns)  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": AllowedHostsOriginValidator(CookieMiddleware(socket_application)),
    }
)
