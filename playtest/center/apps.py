"""Starts the room: it receives what open pages tell, and posts the pay of ended sessions."""

from django.apps import AppConfig


class CenterConfig(AppConfig):
    name = "playtest.center"

    def ready(self) -> None:
        from playtest.center.pay.services import post_session, refuse_beyond_budget
        from playtest.center.wall.publisher import publisher
        from playtest.play.signals import places_asked, session_ended

        publisher().start()
        session_ended.connect(post_session)
        places_asked.connect(refuse_beyond_budget)
