"""The addresses of the sockets of play; any other address is refused."""

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from playtest.play.consumers import InternalPlayConsumer, SittingConsumer

websocket_urlpatterns = [
    path("ws/sitting/", SittingConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/internal/<int:pk>/", InternalPlayConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", WebsocketDenier.as_asgi()),  # type: ignore[arg-type]
]
