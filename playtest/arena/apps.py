"""Starts the room: reports, files and `rebuild` know runs, and replays of runs name their agent."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "playtest.arena"

    def ready(self) -> None:
        from playtest.arena.pages.report_facts import FACTS
        from playtest.arena.runs.exports import make_runs
        from playtest.arena.runs.reads import agent_names
        from playtest.arena.runs.sums import rebuild_summaries
        from playtest.insight.compute.results import rebuild_also
        from playtest.insight.paper.report.build import add_facts
        from playtest.review.models import RUN_KINDS
        from playtest.review.players import name_agents_by
        from playtest.review.services.export_files import make_by

        add_facts(FACTS)
        name_agents_by(agent_names)
        rebuild_also(rebuild_summaries)
        make_by(RUN_KINDS, make_runs)
