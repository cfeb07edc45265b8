"""Starts the room: it tells the wall the flags of effort."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"

    def ready(self) -> None:
        from playtest.center.signals import flags_asked
        from playtest.review.queries.effort import wall_flags

        flags_asked.connect(wall_flags)
