"""The addresses of the center's sockets."""

from django.urls import path

from playtest.center.stations.consumers import StationConsumer
from playtest.center.wall.consumers import WallConsumer

websocket_urlpatterns = [
    path("ws/station/", StationConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/wall/", WallConsumer.as_asgi()),  # type: ignore[arg-type]
]
