"""Level results, which can be recomputed; releases, preregistrations, reports; imports of studies."""

from django.conf import settings
from django.db import models

from playtest.jobs.models import Job, Request
from playtest.people.record.links import Recorded
from playtest.play.models import Attempt, Study
from playtest.studio.models import Version


class Preregistration(Recorded):
    """What a study registered, numbered from 1 in it. It never changes; a later one is an amendment.

    `document` is `rules.preregistration.Registered` as JSON, `digest` the SHA-256 of its canonical form.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="preregistrations")
    number = models.PositiveSmallIntegerField()
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    registered_at = models.DateTimeField()
    registered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="preregistration_is_unique_by_number")
        ]

    def __str__(self) -> str:
        return f"{self.study} preregistration {self.number}"


class RegistryLink(Recorded):
    """Where a preregistration was deposited. Rows are only added; the last one holds."""

    preregistration = models.ForeignKey(Preregistration, on_delete=models.PROTECT, related_name="links")
    address = models.URLField(max_length=500)
    added_at = models.DateTimeField()
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )


class Release(Recorded):
    """A released baseline of a version, numbered from 1 in its environment. It never changes.

    `levels` is a list with one object a level: level, completers, upper_median, best, fewest_known,
    fewest_is_proven, low, high, of_actions; early ones have `optimal` for `fewest_known`
    and no `fewest_is_proven`, or no `of_actions`.
    `people` counted, of as many `asked` for by the protocol. `inputs_digest` is the SHA-256 of the inputs at
    that moment (`baseline.releases.release_csv` is the form).
    """

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="releases")
    environment = models.ForeignKey("studio.Environment", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveSmallIntegerField()
    rule_version = models.CharField(max_length=16)
    people = models.PositiveIntegerField()
    asked = models.PositiveIntegerField()
    levels = models.JSONField()
    inputs_digest = models.CharField(max_length=64)
    note = models.TextField(blank=True, db_column="words")
    released_at = models.DateTimeField()
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["environment", "number"], name="release_is_unique_by_number")
        ]

    def __str__(self) -> str:
        return f"{self.environment} baseline {self.number}"

    @property
    def provisional(self) -> bool:
        """Whether fewer people counted than the protocol asked for."""
        return self.people < self.asked

    @property
    def of_actions(self) -> str:
        """ "undo counted", as of every release; empty where this was not yet written down with its inputs."""
        return next((level.get("of_actions", "") for level in self.levels), "")


class ReleaseInput(Recorded):
    """A level of one attempt in a release's scope. A withdrawal of the person deletes it."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="inputs")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField()
    actions = models.PositiveIntegerField()
    counted = models.BooleanField()
    why_out = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "attempt", "level"], name="release_input_is_unique")
        ]


class ReportAnswer(Recorded):
    """The answer to one item of the checklist (`rules.reporting`), by its number.

    Rows are only added; the one with the highest version holds. An empty text takes an answer back.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="report_answers")
    item = models.CharField(max_length=8)
    version = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True)
    answered_at = models.DateTimeField()
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "item", "version"], name="report_answer_is_unique_by_version"
            )
        ]


class ReleasedReport(Recorded):
    """The report of a study that has attempts in a release, as it stood then. It never changes.

    `document` is `rules.reporting.Report` as JSON, `digest` the SHA-256 of its canonical form.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="reports")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="released_reports")
    document = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "study"], name="released_report_is_unique")]


class Summary(models.Model):
    """How far an attempt's level results are computed: through entry `through_seq`.

    `through_end`: also through the end of an attempt at a static task, whose last view lasts until then;
    False for interactive environments. `stamp` is a new random number whenever results of the attempt are
    written, so that caches find what is outdated.

    `submitted` has the submissions of a static task, null for other environments: for each its entry, test
    input, whether it was right, and a digest that tells grids apart (`insight.compute.submissions`).
    """

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="summary"
    )
    through_seq = models.PositiveIntegerField()
    through_end = models.BooleanField(default=False, db_default=False)
    stamp = models.BigIntegerField(default=0)
    submitted = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "summaries"


class LevelResult(models.Model):
    """One level that one person reached; its fields are those of `rules.results.LevelResult`.

    Of a static task a level is a test input (`rules.tasks.results`). The level was entered by entry
    `entered_seq` (0 for the first) and its last action is `last_seq`
    (`entered_seq` while it has none). Times are UTC, durations seconds. `actions` has the
    `undos` too, which tables leave out where the protocol of their scope says so.
    """

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="level_results", db_index=False
    )
    level = models.PositiveSmallIntegerField()
    entered_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    entered_at = models.DateTimeField()
    last_at = models.DateTimeField()
    completed = models.BooleanField()
    actions = models.PositiveIntegerField()
    actions_since_reset = models.PositiveIntegerField()
    resets = models.PositiveIntegerField()
    no_ops = models.PositiveIntegerField()
    repeated_states = models.PositiveIntegerField()
    unique_states = models.PositiveIntegerField()
    first_change = models.PositiveIntegerField(null=True)
    first_score_change = models.PositiveIntegerField(null=True)
    game_overs = models.PositiveIntegerField()
    seconds = models.FloatField()
    active_seconds = models.FloatField()
    undos = models.PositiveIntegerField(default=0, db_default=0)
    undos_since_reset = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "level"], name="level_result_is_unique_by_level")
        ]


class StudyImport(Job, Request):
    """An import of data from elsewhere that somebody asked for: of `path` within `settings.IMPORT_DIR`.

    `done` of `total` files are read. `skipped` has the files that were left out, each with its reason, and
    `differences` sentences about figures of a package that are other ones here. `undo_counts` is chosen for
    the study's protocol; null where the recordings decide.
    """

    path = models.CharField(max_length=255)
    name = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=500, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    undo_counts = models.BooleanField(null=True)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, related_name="imports")
    skipped = models.JSONField(default=list)
    differences = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.path
