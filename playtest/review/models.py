"""Effort flags, decisions with their reasons, comments, collections and exports: none changes the journal."""

from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.jobs.models import Job, Request
from playtest.people.models import Participant
from playtest.people.record.links import Recorded
from playtest.play.models import Attempt, Session, Study


class Strength(models.TextChoices):
    NOTE = "note", "for information"
    REVIEW = "review", "to be reviewed"
    STRONG = "strong", "strong"


class Flag(models.Model):
    """One rule's finding about a session, or about one attempt of it.

    `figures` are the numbers in the `sentence`. `rule_version` is the rule set, `thresholds` what the study
    had changed of it (None: not recorded then). `raised_at` is the time in the session from which there was
    enough evidence, `judged_at` the time of the assessment. A flag that a later assessment does not raise,
    or raises with another result, stays with the time of that assessment in `superseded_at`.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="flags")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="flags")
    rule = models.CharField(max_length=40)
    rule_version = models.CharField(max_length=20)
    thresholds = models.JSONField(null=True)
    strength = models.CharField(max_length=8, choices=Strength)
    figures = models.JSONField()
    sentence = models.TextField()
    raised_at = models.DateTimeField()
    judged_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "rule"],
                condition=Q(attempt__isnull=False, superseded_at__isnull=True),
                name="flag_stands_once_for_an_attempt",
            ),
            models.UniqueConstraint(
                fields=["session", "rule"],
                condition=Q(attempt__isnull=True, superseded_at__isnull=True),
                name="flag_stands_once_for_a_session",
            ),
        ]


class Assessment(models.Model):
    """The last assessment of a session: by which rule set, of how many ended attempts.

    `thresholds` are those of the session's protocol that differ from the default ones. `norms` is, for each
    version, the state of its norms (`queries.effort.norm_states`). Where either has changed since, the
    session is assessed again. An empty `rule_version`: assess again as soon as no decision rests on the
    flags.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="assessment")
    rule_version = models.CharField(max_length=20, blank=True)
    attempts = models.PositiveSmallIntegerField()
    thresholds = models.JSONField(default=dict)
    norms = models.JSONField(default=dict)


class DecisionKind(models.TextChoices):
    KEEP = "keep", "keep everything"
    EXCLUDE_ATTEMPT = "exclude_attempt", "exclude this attempt"
    EXCLUDE_FROM = "exclude_from", "exclude this attempt from a moment on"
    EXCLUDE_SESSION = "exclude_session", "exclude the whole session"
    REVERSE = "reverse", "reverse an earlier decision"


class Opening(models.TextChoices):
    """Why a session was reviewed, as it was when the first verdict was given."""

    FLAGS = "flags", "its effort flags"
    DRAW = "draw", "drawn at random"
    REVIEWER = "reviewer", "a reviewer opened it"
    REVERSAL = "reversal", "an earlier decision was reversed"


class Decision(Recorded):
    """One reviewer's verdict about a session: everything, or some of its attempts.

    A verdict that leaves out several attempts has a row for each: the first is its head, and the others are
    `part_of` it. The following is said by heads alone, but for `confirms`, which every row has.

    `needs_confirmation`: two reviewers judge, each without seeing the other's verdict. `answers` is the first
    verdict to which this is the second one. `confirms` is the same row of the first verdict where both
    agree; then the first verdict is in force. Else `settles` is how a third reviewer, who has read both,
    settles it: it names the second verdict and is in force. All verdicts stay. `reverses` is the decision
    that is no longer in force. `opened_by` is said of first verdicts; empty where it was not recorded.
    `blind`: given before the reviewer's page had shown flags and outcomes; None where it was not recorded.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="decisions")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="decisions")
    kind = models.CharField(max_length=16, choices=DecisionKind)
    from_seq = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=40)
    explanation = models.TextField(blank=True, db_column="words")
    rule_version = models.CharField(max_length=20)
    opened_by = models.CharField(max_length=8, choices=Opening, blank=True)
    blind = models.BooleanField(null=True)
    needs_confirmation = models.BooleanField(default=False)
    part_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="parts")
    confirms = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="confirmed_by")
    answers = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="answered_by")
    settles = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="settled_by")
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="reversed_by")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=DecisionKind.EXCLUDE_FROM, from_seq__isnull=False)
                | (~Q(kind=DecisionKind.EXCLUDE_FROM) & Q(from_seq__isnull=True)),
                name="only_exclude_from_has_a_moment",
            ),
            models.CheckConstraint(
                condition=Q(kind=DecisionKind.REVERSE, reverses__isnull=False)
                | (~Q(kind=DecisionKind.REVERSE) & Q(reverses__isnull=True)),
                name="only_a_reversal_reverses",
            ),
        ]


OTHER_REASON = "other"

_EXCLUDING = {
    "did_not_try": "did not try",
    "cycled": "skipped through environments without playing",
    "random_input": "pressed keys at random",
    "idle": "was idle or did something else",
    "told_the_answer": "knew the environment or was helped",
    "disturbed": "was disturbed or unwell",
    "technical": "technical trouble, not the participant's doing",
    OTHER_REASON: "another reason, given below",
}
_KEEPING = {
    "tried": "tried: the replay shows how they played",
    "explained": "the flags have another explanation",
    OTHER_REASON: "another reason, given below",
}
_REVERSING = {
    "mistake": "the decision was a mistake",
    "disagree": "another view after a second look",
    "new_evidence": "there is new evidence",
    OTHER_REASON: "another reason, given below",
}

REASONS: dict[str, dict[str, str]] = {
    DecisionKind.KEEP: _KEEPING,
    DecisionKind.EXCLUDE_ATTEMPT: _EXCLUDING,
    DecisionKind.EXCLUDE_FROM: _EXCLUDING,
    DecisionKind.EXCLUDE_SESSION: _EXCLUDING,
    DecisionKind.REVERSE: _REVERSING,
}
"""For each kind of decision, its reason codes with their labels."""

REASON_LABELS = {**_REVERSING, **_KEEPING, **_EXCLUDING}
"""Every reason code with its label."""


class Comment(models.Model):
    """A comment at a moment: after action `seq`, `seconds` after the first frame. Tags are short words."""

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="comments")
    seq = models.PositiveIntegerField()
    seconds = models.FloatField()
    text = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True)


class Collection(models.Model):
    """A list of replays to watch one after another."""

    name = models.CharField(max_length=100, unique=True)
    note = models.TextField(blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()


class CollectionItem(models.Model):
    """One replay of a collection, opened at action `seq`."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="items")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="collection_items")
    position = models.PositiveIntegerField()
    seq = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position", "pk"]


class ExportKind(models.TextChoices):
    MP4 = "mp4", "MP4 video"
    WEBM = "webm", "WebM video"
    GIF = "gif", "GIF animation"
    STUDY_PARQUET = "study_parquet", "study data as Parquet"
    STUDY_CSV = "study_csv", "study data as CSV"
    RUNS_PARQUET = "runs_parquet", "runs as Parquet"
    RUNS_CSV = "runs_csv", "runs as CSV"
    RUNS_DATASET = "runs_dataset", "runs as a Hugging Face dataset"
    PERSON = "person", "all data of a person"


RUN_KINDS = (ExportKind.RUNS_PARQUET, ExportKind.RUNS_CSV, ExportKind.RUNS_DATASET)
"""Exports of agents' runs, which the arena makes and lists. Their rows stay as a record."""


class Export(Job, Request):
    """A requested file, with `done` of `total` frames or attempts. `file` is below DATA_DIR/exports.

    One with the data of a person names them in its options: `participant`, by number.
    """

    kind = models.CharField(max_length=16, choices=ExportKind)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="exports")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="exports")
    options = models.JSONField(default=dict)
    file = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)

    @cached_property
    def person(self) -> Participant | None:
        """Whose data it is; None for other kinds."""
        if self.kind != ExportKind.PERSON:
            return None
        return Participant.objects.get(pk=self.options["participant"])


class ReadToken(Recorded):
    """With it a script reads the tables of one study. Stored as its SHA-256; `hint` is how it ends."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="read_tokens")
    name = models.CharField(max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
