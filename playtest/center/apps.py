"""Starts the room: the triggers of play also protect the center's own record."""

from django.apps import AppConfig


class CenterConfig(AppConfig):
    name = "playtest.center"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from playtest.play.append_only import OWNER_OF_ATTEMPT, Protected, protect, same

        voided = "SELECT attempt_id FROM center_void WHERE id = OLD.void_id"
        protect(
            Protected("center_void", OWNER_OF_ATTEMPT),
            Protected(
                "center_voidreversal",
                f"SELECT participant_id FROM play_attempt WHERE id = ({voided})",
                (same("void_id"),),
            ),
        )
