"""API keys, scorecards, runs on them, what was disclosed of scores, entries of boards, submission files.

Boards and submission files are only added to: an entry or a file leaves its board by a row of its own.
"""

import uuid
from typing import Any

from django.db import models
from django.db.models import CASCADE, PROTECT, CheckConstraint, Q, UniqueConstraint

from playtest.people.models import Staff
from playtest.people.record.links import Recorded
from playtest.play.models import Attempt
from playtest.studio.models import Environment, ReleaseSet, Version


class ApiKey(Recorded):
    """A key, stored as its SHA-256 only. `hint` is its last four characters, to tell keys apart.

    `sets` names the release sets (`ReleaseSet`) whose environments it may play. `per_minute` is the most
    requests a minute. A revoked key stays, with what it did.
    """

    name = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4)
    sets = models.JSONField(default=list)
    per_minute = models.PositiveIntegerField(default=600)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return f"{self.name} (…{self.hint})"


class KeyChange(Recorded):
    """A change of a key, with the sets and the limit that it had from then on. Rows are only added.

    `staff` is None for a command of the server.
    """

    class Kind(models.TextChoices):
        CREATED = "created", "created"
        CHANGED = "changed", "changed"
        REVOKED = "revoked", "revoked"

    key = models.ForeignKey(ApiKey, on_delete=PROTECT, related_name="changes")
    kind = models.CharField(max_length=16, choices=Kind)
    sets = models.JSONField(default=list)
    per_minute = models.PositiveIntegerField()
    at = models.DateTimeField()
    staff = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["at", "pk"]


class KeyDay(models.Model):
    """How many requests a key made on a day (UTC), and how many more were refused for its limit.

    A few seconds late; a process that is killed loses what it had not yet stored.
    """

    key = models.ForeignKey(ApiKey, on_delete=PROTECT, related_name="days")
    day = models.DateField()
    requests = models.PositiveBigIntegerField(default=0)
    refused = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        constraints = [UniqueConstraint(fields=["key", "day"], name="key_has_one_row_a_day")]


class Disclosure(Recorded):
    """A score over environments of one set that was told to a key, or shown on a board.

    A card discloses one score a set, however often it is told: telling it again says nothing new.
    """

    card = models.ForeignKey("arena.Scorecard", on_delete=PROTECT, related_name="disclosures")
    release_set = models.CharField(max_length=16, choices=ReleaseSet)
    environments = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["card", "release_set"], name="score_is_disclosed_once_per_card_and_set")
        ]


class CloseReason(models.TextChoices):
    BY_AGENT = "by_agent", "the agent closed it"
    IDLE = "idle", "it was idle for 15 minutes"
    TOO_OLD = "too_old", "it was open for 72 hours"
    BY_STAFF = "by_staff", "staff closed it"


class Scorecard(Recorded):
    """What one key plays and is scored for together.

    `competition`: a key's only open card, one play an environment, level resets only, no scores while it is
    open, all environments of its sets scored, each level cut off at the budget. `strict`: unavailable actions
    are refused. `sets` are those of its key when it was opened. `used_at` is the last request or heartbeat,
    up to a few seconds late. `opaque` is what the agent stored with it, at most 16 KiB of JSON.
    """

    card_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    key = models.ForeignKey(ApiKey, on_delete=PROTECT, related_name="cards")
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
            UniqueConstraint(
                fields=["key"],
                condition=Q(competition=True, closed_at__isnull=True),
                name="one_open_competition_card_per_key",
            ),
            CheckConstraint(
                condition=Q(closed_at__isnull=True, close_reason="")
                | (Q(closed_at__isnull=False) & ~Q(close_reason="")),
                name="card_has_a_reason_exactly_when_closed",
            ),
        ]


class Run(Recorded):
    """One environment on a card, known to the agent by `guid`. Each start of the whole game is a `Play`.

    `release_set` is the environment's when the run began; staff can move the environment afterwards.
    """

    card = models.ForeignKey(Scorecard, on_delete=PROTECT, related_name="runs")
    guid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    environment = models.ForeignKey(Environment, on_delete=PROTECT, related_name="runs")
    version = models.ForeignKey(Version, on_delete=PROTECT, related_name="runs")
    started_at = models.DateTimeField()
    release_set = models.CharField(max_length=16, choices=ReleaseSet, editable=False)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Takes over the environment's release set when the run is stored first."""
        self.release_set = self.release_set or self.environment.release_set
        super().save(*args, **kwargs)


class Play(Recorded):
    """One attempt of a run, numbered from 1. Its journal is that of the attempt, as for people."""

    run = models.ForeignKey(Run, on_delete=PROTECT, related_name="plays")
    number = models.PositiveSmallIntegerField()
    attempt = models.OneToOneField(Attempt, on_delete=PROTECT, related_name="play")

    class Meta:
        ordering = ["number"]
        constraints = [UniqueConstraint(fields=["run", "number"], name="play_is_unique_by_number")]


class CardNote(Recorded):
    """What a member of staff says about a card. Notes are only added: a wrong one is corrected by another."""

    card = models.ForeignKey(Scorecard, on_delete=PROTECT, related_name="notes")
    text = models.TextField()
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(Staff, on_delete=PROTECT, related_name="+")

    class Meta:
        ordering = ["written_at", "pk"]


class OwnerChange(Recorded):
    """What the owner of a key changed about a card. Rows are only added; the last counts.

    `text` is a mark. Withdrawing a card takes back its link, and so does a new link: the row that shared it
    is what the link names.
    """

    class Kind(models.TextChoices):
        MARKED = "marked", "marked"
        WITHDRAWN = "withdrawn", "withdrawn"
        RESTORED = "restored", "restored"
        SHARED = "shared", "shared"
        UNSHARED = "unshared", "link taken back"

    card = models.ForeignKey(Scorecard, on_delete=PROTECT, related_name="owner_changes")
    kind = models.CharField(max_length=16, choices=Kind)
    text = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]


class Holdout(Recorded):
    """Which environments of a key are for development, held out, or final, drawn at random from a seed.

    `parts` has the codes by `rules.run_analysis.Part`. A key's newest draw counts; earlier ones stay.
    """

    key = models.ForeignKey(ApiKey, on_delete=PROTECT, related_name="holdouts")
    seed = models.CharField(max_length=40)
    parts = models.JSONField()
    drawn_at = models.DateTimeField()
    drawn_by = models.ForeignKey(Staff, on_delete=PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]


class FinalReading(Recorded):
    """The one time that somebody reads the final part of a draw, on one card."""

    holdout = models.OneToOneField(Holdout, on_delete=PROTECT, related_name="final_reading")
    card = models.ForeignKey(Scorecard, on_delete=PROTECT, related_name="+")
    read_at = models.DateTimeField()
    read_by = models.ForeignKey(Staff, on_delete=PROTECT, related_name="+")


class PlaySummary(models.Model):
    """What a play counted and used, by level, through entry `through_seq`; can be computed again.

    `levels` has for each level (from 1, as text) the numbers of `runs.sums.LevelSum` in their order.
    """

    play = models.OneToOneField(Play, on_delete=CASCADE, primary_key=True, related_name="summary")
    through_seq = models.PositiveIntegerField()
    levels = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "play summaries"


class Board(models.TextChoices):
    OFFICIAL = "official", "official"
    COMMUNITY = "community", "community"


class Harness(Recorded):
    """A program in one version through which agents of the official board play, the same for all of them."""

    name = models.CharField(max_length=100)
    version = models.CharField(max_length=100)
    code_url = models.CharField(max_length=500, blank=True)
    adopted_at = models.DateTimeField()
    adopted_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-adopted_at", "-pk"]
        verbose_name_plural = "harnesses"
        constraints = [UniqueConstraint(fields=["name", "version"], name="harness_is_unique_by_version")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class BoardEntry(Recorded):
    """A closed card on a board. Its score is derived from the card's runs, never typed in.

    `description` says how the agent works, `code_url` where its code is public. Who enters a card on the
    official board is who ran it: another person declares how (`Declaration`).
    """

    card = models.OneToOneField(Scorecard, on_delete=PROTECT, related_name="entry")
    board = models.CharField(max_length=16, choices=Board)
    agent = models.CharField(max_length=100)
    code_url = models.CharField(max_length=500, blank=True)
    description = models.TextField()
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            CheckConstraint(
                condition=(Q(board=Board.COMMUNITY) & ~Q(code_url=""))
                | Q(board=Board.OFFICIAL, entered_by__isnull=False),
                name="entry_has_code_or_a_person_who_ran_it",
            )
        ]


class Declaration(Recorded):
    """Somebody else than who ran it declares: this entry was played through the harness, without tools.

    `evidence` says what they looked at. Until then an official entry has no rank.
    """

    entry = models.OneToOneField(BoardEntry, on_delete=PROTECT, related_name="declaration")
    harness = models.ForeignKey(Harness, on_delete=PROTECT, related_name="declarations")
    evidence = models.TextField()
    declared_at = models.DateTimeField()
    declared_by = models.ForeignKey(Staff, on_delete=PROTECT, related_name="+")


class Removal(Recorded):
    """Takes an entry off its board, with the reason."""

    entry = models.OneToOneField(BoardEntry, on_delete=PROTECT, related_name="removal")
    why = models.CharField(max_length=200)
    removed_at = models.DateTimeField()
    removed_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")


class SubmissionFile(Recorded):
    """An official file of answers of one program, kept as it came, and scored over one set.

    `text` is the file, `digest` the SHA-256 of it. `program` is who answered, `cost` what that cost in US
    dollars, over all tasks, as whoever brought the file says. `imported_by` is None for the command.
    """

    program = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    code_url = models.CharField(max_length=500, blank=True)
    cost = models.FloatField(null=True)
    release_set = models.CharField(max_length=16, choices=ReleaseSet)
    digest = models.CharField(max_length=64)
    text = models.TextField()
    imported_at = models.DateTimeField()
    imported_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["digest", "release_set"], name="submission_file_is_imported_once_per_set"
            )
        ]

    def __str__(self) -> str:
        return self.program


class ScoredTask(Recorded):
    """A task of the set in the version that was current when the file came.

    `right`: for each test input whether each of the answers to it is right, in their order; an empty list
    where there was none. It follows from the file and the version, neither of which ever changes.
    """

    file = models.ForeignKey(SubmissionFile, on_delete=PROTECT, related_name="tasks")
    version = models.ForeignKey(Version, on_delete=PROTECT, related_name="+")
    right = models.JSONField()

    class Meta:
        constraints = [UniqueConstraint(fields=["file", "version"], name="task_is_scored_once_per_file")]


class SubmissionRemoval(Recorded):
    """Takes a file off its board, with the reason."""

    file = models.OneToOneField(SubmissionFile, on_delete=PROTECT, related_name="removal")
    why = models.CharField(max_length=200)
    removed_at = models.DateTimeField()
    removed_by = models.ForeignKey(Staff, on_delete=PROTECT, null=True, related_name="+")
