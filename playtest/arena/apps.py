"""Starts the room: triggers protect the count of disclosed scores, and replays of runs name their agent."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "playtest.arena"

    def ready(self) -> None:
        from playtest.arena.page_parts import run_facts, run_notes, run_usage
        from playtest.arena.queries.runs import agent_names
        from playtest.people.page_parts import add_part
        from playtest.play.append_only import Protected, protect, same
        from playtest.review.players import name_agents_by

        protect(Protected("arena_disclosure", unique=(same("card_id", "release_set"),)))
        name_agents_by(agent_names)
        add_part("run", "arena/run-facts.html", run_facts)
        add_part("run-side", "arena/run-notes.html", run_notes)
        add_part("run-below", "arena/run-usage.html", run_usage)
