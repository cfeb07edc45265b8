"""Starts the room: the triggers of play also protect baseline releases."""

from django.apps import AppConfig


class InsightConfig(AppConfig):
    name = "playtest.insight"

    def ready(self) -> None:
        from playtest.play.append_only import OWNER_OF_ATTEMPT, Protected, protect, same

        key = same("release_id", "attempt_id", "level")
        protect(
            Protected("insight_releaseinput", OWNER_OF_ATTEMPT, (key,)),
            Protected("insight_release", unique=(same("environment_id", "number"),)),
        )
