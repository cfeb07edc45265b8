"""What people answered for a study's report, and reports as they stood when a baseline was released."""

from django.conf import settings
from django.db import models

from playtest.insight.models.releases import Release
from playtest.play.models import Study


class ReportAnswer(models.Model):
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


class ReleasedReport(models.Model):
    """The report of a study that has attempts in a release, as it stood then. It never changes.

    `document` is `rules.reporting.Report` as JSON, `digest` the SHA-256 of its canonical form.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="reports")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="released_reports")
    document = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "study"], name="released_report_is_unique")]
