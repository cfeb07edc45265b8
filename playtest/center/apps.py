"""Starts the room: it observes open pages, promises places and posts the pay of sessions that end."""

from django.apps import AppConfig


class CenterConfig(AppConfig):
    name = "playtest.center"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from playtest.center.pay.services.booking import refuse_beyond_budget
        from playtest.center.pay.services.posting import post_session
        from playtest.center.schedule.queries import booked_without_a_code
        from playtest.center.wall.publisher import publisher
        from playtest.play.observers import add_observer
        from playtest.play.session_hooks import after_session_end, refuse_new_sessions
        from playtest.play.sessions.quota import add_promises

        add_observer(publisher())
        add_promises(booked_without_a_code)
        after_session_end(post_session)
        refuse_new_sessions(refuse_beyond_budget)
