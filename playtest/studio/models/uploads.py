"""Imports uploaded through the browser; versions that designers put into the sandbox, and the answer."""

from django.conf import settings
from django.db import models

from playtest.jobs.models import Job, Request
from playtest.rules.kinds import Kind
from playtest.studio.models.environments import KindField, ReleaseSet, Version


class Import(Job, Request):
    """What one person uploaded at once. Its files are below DATA_DIR/uploads until it has ended.

    `names` are those of the files; `done` of `total` sources are finished; `results` one {"id", "status",
    "reason"} each. One into the sandbox imports nothing: what it holds waits for approval, with a `comment`.
    `release_set` is the set of the static tasks in it that did not exist. `confirmed`: the ids that may
    get an older current version, or another author's.
    """

    kind = KindField()
    release_set = models.CharField(
        max_length=16, choices=ReleaseSet, default=ReleaseSet.NONE, db_default=ReleaseSet.NONE.value
    )
    names = models.JSONField(default=list)
    into_sandbox = models.BooleanField(default=False)
    confirmed = models.JSONField(default=list)
    comment = models.TextField(blank=True)
    results = models.JSONField(default=list)

    @property
    def noun(self) -> str:
        """What one of its results is called."""
        return Kind(self.kind).terms.noun


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
