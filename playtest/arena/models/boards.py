"""What stands on the two boards. Rows are only added: an entry leaves its board by a row of its own."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.arena.models.cards import Scorecard


class Board(models.TextChoices):
    OFFICIAL = "official", "official"
    COMMUNITY = "community", "community"


class Harness(models.Model):
    """A program in one version through which agents of the official board play, the same for all of them."""

    name = models.CharField(max_length=100)
    version = models.CharField(max_length=100)
    code_url = models.CharField(max_length=500, blank=True)
    adopted_at = models.DateTimeField()
    adopted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-adopted_at", "-pk"]
        verbose_name_plural = "harnesses"
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="harness_is_unique_by_version")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class BoardEntry(models.Model):
    """A closed card on a board. Its score is derived from the card's runs, never typed in.

    `description` says how the agent works, `code_url` where its code is public. Who enters a card on the
    official board is who ran it: another person declares how (`Declaration`).
    """

    card = models.OneToOneField(Scorecard, on_delete=models.PROTECT, related_name="entry")
    board = models.CharField(max_length=16, choices=Board)
    agent = models.CharField(max_length=100)
    code_url = models.CharField(max_length=500, blank=True)
    description = models.TextField()
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=(Q(board=Board.COMMUNITY) & ~Q(code_url=""))
                | Q(board=Board.OFFICIAL, entered_by__isnull=False),
                name="entry_has_code_or_a_person_who_ran_it",
            )
        ]


class Declaration(models.Model):
    """Somebody else than who ran it declares: this entry was played through the harness, without tools.

    `evidence` says what they looked at. Until then an official entry has no rank.
    """

    entry = models.OneToOneField(BoardEntry, on_delete=models.PROTECT, related_name="declaration")
    harness = models.ForeignKey(Harness, on_delete=models.PROTECT, related_name="declarations")
    evidence = models.TextField()
    declared_at = models.DateTimeField()
    declared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")


class Removal(models.Model):
    """Takes an entry off its board, with the reason."""

    entry = models.OneToOneField(BoardEntry, on_delete=models.PROTECT, related_name="removal")
    why = models.CharField(max_length=200)
    removed_at = models.DateTimeField()
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
