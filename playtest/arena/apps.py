"""Starts the room: the triggers of play also protect the count of disclosed scores."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "playtest.arena"

    def ready(self) -> None:
        from playtest.play.append_only import Protected, protect, same

        protect(Protected("arena_disclosure", unique=(same("card_id", "release_set"),)))
