"""The addresses of the center's sockets."""

from django.urls import path

from playtest.center.stations.consumers import StationConsumer

websocket_urlpatterns = [
    path("ws/station/", StationConsumer.as_asgi()),  # type: ignore[arg-type]
]
