"""The one socket of a participant's page."""

from django.urls import path

from playtest.play.consumers import SittingConsumer

websocket_urlpatterns = [path("ws/sitting/", SittingConsumer.as_asgi())]  # type: ignore[arg-type]
