"""Imports of environments that were uploaded through the browser."""

from django.db import models

from playtest.jobs.models import Job, Request
from playtest.rules.kinds import Kind
from playtest.studio.models.environments import KindField, ReleaseSet


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
