"""The application: says in the navigation that uploads wait."""

from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "playtest.studio"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from playtest.people.navigation import add_waiting
        from playtest.people.page_parts import add_part
        from playtest.studio.home import jobs
        from playtest.studio.queries.uploads import waiting_for
        from playtest.studio.search_kinds import make_searchable
        from playtest.studio.titles import name_pages

        name_pages()
        add_part("home-engineer", "studio/home-jobs.html", jobs)
        make_searchable()
        add_waiting("studio:uploads", waiting_for)
