"""Starts the room: sweep and outages skip sessions in virtual time."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    name = "playtest.rehearsal"

    def ready(self) -> None:
        from playtest.play.kept_elsewhere import keep_elsewhere
        from playtest.rehearsal.queries import may_be_in_virtual_time

        keep_elsewhere(may_be_in_virtual_time)
