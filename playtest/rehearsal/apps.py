"""The room's start: the sweep of play leaves people in virtual time alone."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    name = "playtest.rehearsal"

    def ready(self) -> None:
        from playtest.play.tasks import exclude_from_sweep
        from playtest.rehearsal.queries import may_be_in_virtual_time

        exclude_from_sweep(may_be_in_virtual_time)
