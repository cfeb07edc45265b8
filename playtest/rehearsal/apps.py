"""Starts the room: sweep and outages skip sessions in virtual time, pages say how far demonstrations are."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    name = "playtest.rehearsal"

    def ready(self) -> None:
        from playtest.people.page_parts import add_part
        from playtest.play.kept_elsewhere import keep_elsewhere
        from playtest.rehearsal.demonstration import progress
        from playtest.rehearsal.queries import may_be_in_virtual_time
        from playtest.rehearsal.try_out import offer

        keep_elsewhere(may_be_in_virtual_time)
        add_part("staff", "rehearsal/demonstration.html", progress)
        add_part("welcome", "rehearsal/try-out.html", offer)
