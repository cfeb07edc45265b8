"""Starts the room: it counts the open pages of its process, and sign-ins that are refused."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "playtest.operation"

    def ready(self) -> None:
        from axes.signals import user_locked_out

        from playtest.operation.counted import locked_sign_ins
        from playtest.operation.pages import open_pages

        open_pages.start()
        user_locked_out.connect(locked_sign_ins.count)
