"""Versions that designers uploaded into the sandbox, and what the lead said of them."""

from django.conf import settings
from django.db import models

from playtest.studio.models.environments import Version
from playtest.studio.models.imports import Import


class UploadStatus(models.TextChoices):
    """What became of an upload."""

    WAITING = "waiting", "waits for approval"
    APPROVED = "approved", "approved"
    DECLINED = "declined", "declined"
    WITHDRAWN = "withdrawn", "withdrawn"
    REPLACED = "replaced", "replaced by a later upload"


class UploadedVersion(models.Model):
    """A version that somebody uploaded without the right to import: a draft until it is approved.

    `comment` is the uploader's, `note` the folder's NOTE.md, which counts from the approval on. `before` is
    the version that was current when it was decided. `decided_by` is None where the same source was
    imported. `seen_at`: when the uploader read the decision.
    """

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="uploads")
    job = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="uploads")
    comment = models.TextField(blank=True)
    note = models.TextField(blank=True)
    remarks = models.TextField(blank=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=UploadStatus, default=UploadStatus.WAITING)
    before = models.ForeignKey(Version, on_delete=models.PROTECT, null=True, related_name="+")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version"],
                condition=models.Q(status=UploadStatus.WAITING),
                name="version_waits_once",
            ),
        ]
        indexes = [models.Index(fields=["status", "uploaded_by"], name="upload_by_status")]
