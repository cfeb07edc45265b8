"""Starts the room: pages can be found."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "playtest.people"

    def ready(self) -> None:
        from playtest.people.search import add_kind
        from playtest.people.search_kinds import pages

        add_kind("page", "Pages", None, pages)
