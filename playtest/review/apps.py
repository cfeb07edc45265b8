"""Starts the room: adds conditions and page parts to lower rooms."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "playtest.review"

    def ready(self) -> None:
        from playtest.center.wall.flags import set_flags
        from playtest.people.navigation import add_waiting_at_home
        from playtest.people.page_parts import add_part
        from playtest.play.sessions.quota import exclude_from_quota
        from playtest.review.home import newest_results, newest_who_left, sessions_to_review
        from playtest.review.page_parts import effort_flags, fault_notice
        from playtest.review.queries.exclusions import cannot_count
        from playtest.review.queries.wall_flags import wall_flags
        from playtest.review.search_kinds import make_searchable
        from playtest.review.titles import name_pages

        name_pages()
        add_part("home-researcher", "review/home-results.html", newest_results)
        for role in ("researcher", "designer", "lead"):
            add_part(f"home-{role}", "review/home-left.html", newest_who_left)
        add_waiting_at_home("review:queue", sessions_to_review)
        make_searchable()
        exclude_from_quota(cannot_count)
        add_part("staff", "review/fault-notice.html", fault_notice)
        add_part("session", "review/flags.html", effort_flags)
        set_flags(wall_flags)
