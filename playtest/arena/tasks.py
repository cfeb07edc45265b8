"""Celery tasks of the arena."""

from celery import shared_task

from playtest.arena.services.cards import close_due


@shared_task
def close_idle_cards() -> None:
    """Close the cards that were idle for 15 minutes or open for 24 hours. Safe beside live runs."""
    close_due()
