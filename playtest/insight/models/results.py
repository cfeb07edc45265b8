"""Level results and how far they are computed, so that pages do not read the journal."""

from django.db import models

from playtest.play.models import Attempt


class Summary(models.Model):
    """How far an attempt's level results are computed: through entry `through_seq`.

    `through_end`: also through the end of an attempt at a static task, whose last view lasts until then;
    False for interactive environments. `stamp` is a new random number whenever results of the attempt are
    written, so that caches find what is outdated.

    `submitted` has the submissions of a static task, null for other environments: for each its entry, test
    input, whether it was right, and a digest that tells grids apart (`insight.results.submissions`).
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
    (`entered_seq` while it has none). Times are UTC, durations seconds.
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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "level"], name="level_result_is_unique_by_level")
        ]
