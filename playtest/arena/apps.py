"""Starts the room: triggers protect the count of disclosed scores, replays of runs name their agent, and the
table of access lists the API."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from playtest.people.access_table import Entry


class ArenaConfig(AppConfig):
    name = "playtest.arena"

    def ready(self) -> None:
        from playtest.arena.page_parts import environment_link, run_facts, run_notes, run_usage
        from playtest.arena.queries.runs import agent_names
        from playtest.people.access_table import list_also
        from playtest.people.page_parts import add_part
        from playtest.play.append_only import Protected, protect, same
        from playtest.review.players import name_agents_by

        protect(Protected("arena_disclosure", unique=(same("card_id", "release_set"),)))
        name_agents_by(agent_names)
        add_part("run", "arena/run-facts.html", run_facts)
        add_part("run-side", "arena/run-notes.html", run_notes)
        add_part("run-below", "arena/run-usage.html", run_usage)
        add_part("environment", "arena/environment-link.html", environment_link)
        list_also(_api)


def _api() -> "Iterator[Entry]":
    """The addresses of the API, for agents with a key, or for anyone where it asks for none."""
    from playtest.arena.api.application import ROUTES
    from playtest.people.access_table import Entry
    from playtest.people.roles import Audience

    for route in ROUTES:
        access = Audience.KEY if route.needs_key else Audience.ANYONE
        yield Entry(f"{route.method} {route.address}", route.address, route.summary, access)
