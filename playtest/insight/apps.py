"""Starts the room: triggers protect what is for good, and the studio lists internal plays."""

from django.apps import AppConfig


class InsightConfig(AppConfig):
    name = "playtest.insight"

    def ready(self) -> None:
        from playtest.insight.environment.first_frames import address_of_first_frame
        from playtest.insight.home import (
            marks_to_answer,
            moves_to_make,
            own_environments,
            studies_under_way,
        )
        from playtest.insight.page_parts import plays_of_environment
        from playtest.insight.search_kinds import make_searchable
        from playtest.insight.titles import name_pages
        from playtest.people.navigation import add_waiting_at_home
        from playtest.people.page_parts import add_part
        from playtest.play.journal.triggers import OWNER_OF_ATTEMPT, Protected, protect, same
        from playtest.studio.pictures import serve_first_frames

        name_pages()
        add_part("home-designer", "insight/home-own.html", own_environments)
        for role in ("researcher", "lead"):
            add_part(f"home-{role}", "insight/home-studies.html", studies_under_way)
        add_part("home-lead", "insight/home-ready.html", moves_to_make)
        add_waiting_at_home("insight:redundancy", marks_to_answer)
        serve_first_frames(address_of_first_frame)
        make_searchable()
        add_part("environment-plays", "insight/internal/plays.html", plays_of_environment)
        key = same("release_id", "attempt_id", "level")
        protect(
            Protected("insight_releaseinput", OWNER_OF_ATTEMPT, (key,)),
            Protected("insight_release", unique=(same("environment_id", "number"),)),
            Protected("insight_preregistration", unique=(same("study_id", "number"),)),
            Protected("insight_registrylink"),
            Protected("insight_reportanswer", unique=(same("study_id", "item", "version"),)),
            Protected("insight_releasedreport", unique=(same("release_id", "study_id"),)),
        )
