"""Starts the room: adds conditions to lower rooms."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"

    def ready(self) -> None:
        from playtest.center.signals import flags_asked
        from playtest.play.sessions.quota import exclude_from_quota
        from playtest.review.queries.effort import wall_flags
        from playtest.review.queries.exclusions import cannot_count

        exclude_from_quota(cannot_count)
        flags_asked.connect(wall_flags)
