"""Imports of environments that were uploaded through the browser."""

from django.db import models

from playtest.jobs.models import Job, Request


class Import(Job, Request):
    """What one person uploaded at once. Its files are below DATA_DIR/uploads until it has ended.

    `names` are those of the files; `done` of `total` sources are finished; `results` one {"id", "status",
    "reason"} each. One into the sandbox imports nothing: what it holds waits for approval, with a `comment`.
    """

    names = models.JSONField(default=list)
    into_sandbox = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    results = models.JSONField(default=list)
