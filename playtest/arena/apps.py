"""Starts the room: triggers protect what is only added, replays of runs name their agent, and the
table of access lists the API."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from playtest.people.access_table import Entry


class ArenaConfig(AppConfig):
    name = "playtest.arena"

    def ready(self) -> None:
        from playtest.arena.pages.replay import environment_link, run_facts, run_notes, run_usage
        from playtest.arena.pages.report_facts import FACTS
        from playtest.arena.parts import make_searchable, name_pages, newest_cards
        from playtest.arena.runs.exports import make_runs
        from playtest.arena.runs.reads import agent_names
        from playtest.arena.runs.sums import rebuild_summaries
        from playtest.insight.report.build import add_facts
        from playtest.insight.services.derived import rebuild_also
        from playtest.people.access_table import list_also
        from playtest.people.page_parts import add_part
        from playtest.play.journal.triggers import Protected, RefusedInsert, protect, same
        from playtest.review.models.exports import RUN_KINDS
        from playtest.review.players import name_agents_by
        from playtest.review.services.export_files import make_by

        add_facts(FACTS)
        protect(
            Protected("arena_disclosure", unique=(same("card_id", "release_set"),)),
            Protected("arena_harness", unique=(same("name", "version"),)),
            Protected("arena_boardentry", unique=(same("card_id"),)),
            Protected(
                "arena_declaration",
                unique=(same("entry_id"),),
                refused_inserts=(
                    RefusedInsert(
                        "own_declaration",
                        "EXISTS (SELECT 1 FROM arena_boardentry WHERE id = NEW.entry_id"
                        " AND (board <> 'official' OR entered_by_id = NEW.declared_by_id))",
                        "another person than who ran it declares an entry of the official board",
                    ),
                ),
            ),
            Protected("arena_removal", unique=(same("entry_id"),)),
            Protected("arena_submissionfile", unique=(same("digest", "release_set"),)),
            Protected("arena_scoredtask", unique=(same("file_id", "version_id"),)),
            Protected("arena_submissionremoval", unique=(same("file_id"),)),
            Protected("arena_cardnote"),
            Protected("arena_keychange"),
        )
        name_agents_by(agent_names)
        rebuild_also(rebuild_summaries)
        make_by(RUN_KINDS, make_runs)
        add_part("run", "arena/run-facts.html", run_facts)
        add_part("run-side", "arena/run-notes.html", run_notes)
        add_part("run-below", "arena/run-usage.html", run_usage)
        add_part("environment", "arena/environment-link.html", environment_link)
        list_also(_api)
        name_pages()
        add_part("home-engineer", "arena/home-cards.html", newest_cards)
        make_searchable()


def _api() -> "Iterator[Entry]":
    """The addresses of the API, for agents with a key, or for anyone where it asks for none."""
    from playtest.arena.api.application import ROUTES
    from playtest.arena.api.http import SOCKET_PATH
    from playtest.people.access_table import Entry
    from playtest.people.roles import Audience

    for route in ROUTES:
        access = Audience.KEY if route.needs_key else Audience.ANYONE
        yield Entry(f"{route.method} {route.address}", route.address, route.summary, access)
    does = "Carries out requests and actions over one connection."
    yield Entry("agents' socket", SOCKET_PATH, does, Audience.KEY, ("request", "action"))
