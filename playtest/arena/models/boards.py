"""What stands on the two boards."""

from django.conf import settings
from django.db import models

from playtest.arena.models.cards import Scorecard


class Board(models.TextChoices):
    OFFICIAL = "official", "official"
    COMMUNITY = "community", "community"


class BoardEntry(models.Model):
    """A closed card on a board. Its score is derived from the card's runs, never typed in.

    `description` says how the agent works, `code_url` where its code is public.
    """

    card = models.OneToOneField(Scorecard, on_delete=models.PROTECT, related_name="entry")
    board = models.CharField(max_length=16, choices=Board)
    agent = models.CharField(max_length=100)
    code_url = models.CharField(max_length=500, blank=True)
    description = models.TextField(blank=True)
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    removed_at = models.DateTimeField(null=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    why_removed = models.CharField(max_length=200, blank=True)
