"""Starts the room: the studio shows the first frames that this room finds."""

from django.apps import AppConfig


class InsightConfig(AppConfig):
    name = "playtest.insight"

    def ready(self) -> None:
        from playtest.insight.pages.environment.first_frames import address_of_first_frame
        from playtest.studio.pictures import serve_first_frames

        serve_first_frames(address_of_first_frame)
