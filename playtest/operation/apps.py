"""Starts the room: it counts the open pages of its process, and sign-ins that are refused."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "playtest.operation"

    def ready(self) -> None:
        from axes.signals import user_locked_out

        from playtest.operation.counted import count_closed, count_opened, locked_sign_ins
        from playtest.play.signals import page_closed, page_opened

        page_opened.connect(count_opened)
        page_closed.connect(count_closed)
        user_locked_out.connect(locked_sign_ins.count)
