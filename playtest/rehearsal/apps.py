"""Starts the room: the sweep of play skips sessions in virtual time."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    name = "playtest.rehearsal"

    def ready(self) -> None:
        from playtest.play.tasks import exclude_from_sweep
        from playtest.rehearsal.queries import may_be_in_virtual_time

        exclude_from_sweep(may_be_in_virtual_time)
