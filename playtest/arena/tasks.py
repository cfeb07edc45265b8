"""Celery tasks of the arena."""

from datetime import timedelta

from celery import shared_task
from django.db.models import Q

from playtest.arena.models import Play
from playtest.arena.runs.cards import close_due
from playtest.arena.runs.sums import summarise
from playtest.arena.scores.dropped import erase_old
from playtest.play.clock import now

LATELY = timedelta(minutes=5)
"""How long after its end a play is included, for actions since the last run of the task."""


@shared_task
def close_idle_cards() -> None:
    """Close the cards that were idle for 15 minutes or open for 72 hours. Safe beside live runs."""
    close_due()


@shared_task
def summarise_plays() -> None:
    """Sums what plays counted and used, before a page asks for it. Pages do so too, for what they show."""
    lately = Q(attempt__ended_at__isnull=True) | Q(attempt__ended_at__gt=now() - LATELY)
    summarise(Play.objects.filter(lately | Q(summary__isnull=True)))


@shared_task
def erase_dropped() -> None:
    """Erases recordings that were dropped to be watched, when their days are over."""
    erase_old()
