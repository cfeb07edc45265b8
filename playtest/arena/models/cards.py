"""Scorecards, and the runs that they count."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.arena.models.keys import ApiKey
from playtest.play.models import Attempt
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet


class CloseReason(models.TextChoices):
    BY_AGENT = "by_agent", "the agent closed it"
    IDLE = "idle", "it was idle for 15 minutes"
    TOO_OLD = "too_old", "it was open for 24 hours"
    BY_STAFF = "by_staff", "staff closed it"


class Scorecard(models.Model):
    """What one key plays and is scored for together.

    `competition`: one open card a key, one play an environment, level resets only, no scores while it is
    open, all environments of its sets scored, each level cut off at the budget. `strict`: unavailable actions
    are refused. `sets` are those of its key when it was opened. `used_at` is the last request or heartbeat,
    up to a few seconds late. `opaque` is what the agent stored with it, at most 16 KiB of JSON.
    """

    card_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="cards")
    sets = models.JSONField(default=list)
    competition = models.BooleanField(default=False)
    strict = models.BooleanField(default=False)
    source_url = models.CharField(max_length=500, blank=True)
    tags = models.JSONField(default=list)
    opaque = models.JSONField(null=True)
    opened_at = models.DateTimeField()
    used_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    close_reason = models.CharField(max_length=16, choices=CloseReason, blank=True)

    class Meta:
        ordering = ["-opened_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["key"],
                condition=Q(competition=True, closed_at__isnull=True),
                name="one_open_competition_card_per_key",
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, close_reason="")
                | (Q(closed_at__isnull=False) & ~Q(close_reason="")),
                name="card_has_a_reason_exactly_when_closed",
            ),
        ]


class Run(models.Model):
    """One environment on a card, known to the agent by `guid`. Each start of the whole game is a `Play`.

    `release_set` is the environment's when the run began; staff can move the environment afterwards.
    """

    card = models.ForeignKey(Scorecard, on_delete=models.PROTECT, related_name="runs")
    guid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="runs")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="runs")
    started_at = models.DateTimeField()
    release_set = models.CharField(max_length=16, choices=ReleaseSet, editable=False)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Takes over the environment's release set when the run is stored first."""
        self.release_set = self.release_set or self.environment.release_set
        super().save(*args, **kwargs)


class Play(models.Model):
    """One attempt of a run, numbered from 1. Its journal is that of the attempt, as for people."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="plays")
    number = models.PositiveSmallIntegerField()
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="play")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="play_is_unique_by_number")]


class CardNote(models.Model):
    """What a member of staff says about a card. Notes are only added: a wrong one is corrected by another."""

    card = models.ForeignKey(Scorecard, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["written_at", "pk"]


class PlaySummary(models.Model):
    """What a play counted and used, by level, through entry `through_seq`; can be computed again.

    `levels` has for each level (from 1, as text) the numbers of `queries.summaries.LevelSum` in their order.
    """

    play = models.OneToOneField(Play, on_delete=models.CASCADE, primary_key=True, related_name="summary")
    through_seq = models.PositiveIntegerField()
    levels = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "play summaries"
