"""Starts the room: adds conditions to lower rooms."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"

    def ready(self) -> None:
        from playtest.center.signals import flags_asked
        from playtest.play.sessions.quota import exclude_from_quota
        from playtest.review.queries.exclusions import cannot_count
        from playtest.review.queries.wall_flags import wall_flags

        exclude_from_quota(cannot_count)
        flags_asked.connect(wall_flags)
