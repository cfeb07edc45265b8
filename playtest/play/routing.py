"""The address of the participant's socket; any other address is refused."""

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from playtest.play.consumers import SittingConsumer

websocket_urlpatterns = [
    path("ws/sitting/", SittingConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", WebsocketDenier.as_asgi()),  # type: ignore[arg-type]
]
