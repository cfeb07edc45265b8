"""The room's start: who is excluded takes no place in an environment's quota."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"

    def ready(self) -> None:
        from playtest.play.quota import leave_out
        from playtest.review.queries.exclusions import cannot_count

        leave_out(cannot_count)
