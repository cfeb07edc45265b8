"""Studies whose data come from elsewhere, and what their recordings were."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.play.models.session import Attempt
from playtest.play.models.study import Study

SEALED_PACKAGE, PUBLIC_PACKAGE = "sealed package", "public package"
"""Dialects: a data package with the chains and seals of its source, and the public variant without them."""
PACKAGES = (SEALED_PACKAGE, PUBLIC_PACKAGE)


class OutsideStudy(Recorded):
    """A study that was imported: nobody of it was seated here, and nothing is planned for it.

    `digest` is the SHA-256 of the data in hexadecimal, empty while it is not known yet. `dated` is the day
    that the data has of itself. `people_known`: the data names its people; otherwise each play has a person
    of its own, and two of them may be one.
    """

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="outside")
    source = models.TextField()
    licence = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    dated = models.DateField(null=True)
    people_known = models.BooleanField(default=False)
    imported_at = models.DateTimeField()
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "studies from outside"

    def __str__(self) -> str:
        return self.source

    @property
    def sentence(self) -> str:
        """Where the data are from, under which licence, of when, and whom they name."""
        facts = [
            f"Source: {self.source}",
            f"licence: {self.licence or 'not given'}",
            f"dated {self.dated.isoformat()}" if self.dated else "",
            f"SHA-256 {self.digest[:12]}" if self.digest else "",
            f"imported {self.imported_at:%Y-%m-%d}",
        ]
        known = "" if self.people_known else " Its people are not known to be different people."
        return f"{', '.join(filter(None, facts))}.{known}"

    @property
    def origin(self) -> str:
        """The same, and how many plays have no times."""
        plays = OutsideAttempt.objects.filter(attempt__session__study=self.study_id)
        untimed = plays.filter(timed=False).count()
        if not untimed:
            return self.sentence
        which = f"{untimed:,} of {plays.count():,} plays have no times"
        return f"{self.sentence} {which}: no figure of time counts them."

    @property
    def is_of_recordings(self) -> bool:
        """Whether it was made of recordings, which end without a word why, and not of a data package."""
        plays = OutsideAttempt.objects.filter(attempt__session__study=self.study_id)
        return plays.exclude(dialect__in=PACKAGES).exists()

    @property
    def full_origin(self) -> str:
        """The same with the whole digest, for files."""
        return self.origin.replace(self.digest[:12], self.digest) if self.digest else self.origin

    @property
    def public_origin(self) -> str:
        """For the public variant: without a date, and without the digest of data that have all times."""
        return f"Source: {self.source}, licence: {self.licence or 'not given'}."


class OutsideAttempt(Recorded):
    """The recording that an attempt of such a study was made of.

    `digest` is the SHA-256 of the play's lines, by which the same play is known again; `person` what the data
    calls whoever played, empty where it names nobody. `differs_from` is the seq of the first entry that the
    version does not play as recorded: from there on the entries are what was recorded, not what was played.
    `unproven`: there were no frames to compare. `as_arcengine`: it is played by arcengine's rules, not by
    those for people (`engine.play.game.Game.start`). `timed`: the times are those of the recording; otherwise
    all entries have one time, which means nothing. `full_resets` are the seqs of resets that restarted the
    whole environment. `left_out` actions after a loss or the win are no entries; `notes` are sentences about
    them. `last_line` is what the recording's last line counted, null without one; `ratings` are answers that
    the data has beside the recording, by name.
    """

    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="outside")
    name = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    dialect = models.CharField(max_length=24)
    guid = models.CharField(max_length=64, blank=True)
    person = models.CharField(max_length=100, blank=True)
    differs_from = models.PositiveIntegerField(null=True)
    unproven = models.BooleanField(default=False)
    as_arcengine = models.BooleanField(default=True)
    timed = models.BooleanField(default=True)
    full_resets = models.JSONField(default=list)
    left_out = models.PositiveIntegerField(default=0)
    notes = models.TextField(blank=True)
    last_line = models.JSONField(null=True)
    ratings = models.JSONField(default=dict)
    imported_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["digest"], name="outside_attempt_by_digest")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_of_package(self) -> bool:
        """Whether a data package brought it, so that its outcome is known, not only where it ends."""
        return self.dialect in PACKAGES

    @property
    def keeps_seal(self) -> bool:
        """Whether its chain and its seal are those of its source, not made at the import."""
        return self.dialect == SEALED_PACKAGE

    @property
    def sentence(self) -> str:
        """What is known of the recording: its file, and what is doubtful about it."""
        known = f"Imported from {self.name} on {self.imported_at:%Y-%m-%d}: it was not observed here."
        return f"{known} {self.doubts}".strip()

    @property
    def doubts(self) -> str:
        """Whether it plays as recorded, whether it has frames and times; empty if all is well."""
        said = []
        if self.differs_from is not None:
            where = f"action {self.differs_from}" if self.differs_from else "its first frame"
            said.append(
                f"From {where} on this is what was recorded: no version here plays it so. It has no results."
            )
        elif self.unproven:
            said.append("It has no frames, so nothing proves that it was played on this version.")
        if not self.timed:
            said.append("It has no times: one second stands for one action.")
        return " ".join(filter(None, [*said, self.notes]))


def origin_in_files(attempt: Attempt, *, public: bool = False) -> str:
    """What a file of an attempt from outside says of its source; "" of others."""
    if attempt.session_id is None:  # of an agent, or of staff
        return ""
    study = attempt.session.study
    if not study.is_outside:
        return ""
    return study.outside.public_origin if public else study.outside.full_origin


class OutsideName(models.Model):
    """What the data calls a row that an import made: the number or the person's name at its source.

    `kind` is a column of docs/codebook.md. The chain of an attempt begins from these numbers, so it can be
    checked, and an export writes them again. Triggers refuse every change.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="outside_names")
    kind = models.CharField(max_length=12)
    row = models.BigIntegerField()
    name = models.CharField(max_length=150)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "row"], name="outside_name_is_unique_by_row"),
            models.UniqueConstraint(fields=["study", "kind", "name"], name="outside_row_is_unique_by_name"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
