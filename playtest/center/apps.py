"""Starts the room: adds what it knows to lower rooms, and protects its own record as theirs."""

from django.apps import AppConfig


class CenterConfig(AppConfig):
    name = "playtest.center"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from playtest.center.home import adjustments_to_decide, room_now, today
        from playtest.center.pay.start import start_pay
        from playtest.center.schedule.queries import booked_without_a_code, places_part
        from playtest.center.search_kinds import make_searchable
        from playtest.center.stations.page_parts import at_station
        from playtest.center.titles import name_pages
        from playtest.center.wall.publisher import publisher
        from playtest.people.navigation import add_waiting_at_home
        from playtest.people.page_parts import add_part
        from playtest.play.journal.triggers import OWNER_OF_ATTEMPT, Protected, protect, same
        from playtest.play.observers import add_observer
        from playtest.play.sessions.quota import add_promises

        name_pages()
        for role in ("proctor", "lead"):
            add_part(f"home-{role}", "center/home/today.html", today)
        add_part("home-proctor", "center/home/needs-help.html", room_now)
        add_waiting_at_home("center:pay", adjustments_to_decide)
        make_searchable()
        add_observer(publisher())
        add_promises(booked_without_a_code)
        add_part("study", "center/schedule/study-places.html", places_part)
        add_part("participant", "center/stations/at-station.html", at_station)
        voided = "SELECT attempt_id FROM center_void WHERE id = OLD.void_id"
        protect(
            Protected("center_void", OWNER_OF_ATTEMPT),
            Protected(
                "center_voidreversal",
                f"SELECT participant_id FROM play_attempt WHERE id = ({voided})",
                (same("void_id"),),
            ),
        )
        start_pay()
