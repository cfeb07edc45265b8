"""Starts the room: it counts the open pages of its process."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "playtest.operation"

    def ready(self) -> None:
        from playtest.operation.pages import open_pages

        open_pages.start()
