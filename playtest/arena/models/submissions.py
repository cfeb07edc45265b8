"""Files of programs' answers to static tasks. Rows are only added: a removal is a row of its own."""

from django.conf import settings
from django.db import models

from playtest.studio.models import ReleaseSet, Version


class SubmissionFile(models.Model):
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
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest", "release_set"], name="submission_file_is_imported_once_per_set"
            )
        ]

    def __str__(self) -> str:
        return self.program


class ScoredTask(models.Model):
    """A task of the set in the version that was current when the file came.

    `right`: for each test input whether each of the answers to it is right, in their order; an empty list
    where there was none. It follows from the file and the version, neither of which ever changes.
    """

    file = models.ForeignKey(SubmissionFile, on_delete=models.PROTECT, related_name="tasks")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+")
    right = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "version"], name="task_is_scored_once_per_file")
        ]


class SubmissionRemoval(models.Model):
    """Takes a file off its board, with the reason."""

    file = models.OneToOneField(SubmissionFile, on_delete=models.PROTECT, related_name="removal")
    why = models.CharField(max_length=200)
    removed_at = models.DateTimeField()
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
