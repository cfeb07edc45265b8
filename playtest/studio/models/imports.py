"""Environments that came through the browser, and what became of each."""

from django.db import models

from playtest.jobs.models import Job, Request


class Upload(Job, Request):
    """What one person uploaded at once. Its files lie below DATA_DIR/uploads until it is over.

    `names` are those of the files; `done` of `total` sources are behind it; `results` one {"id", "status",
    "reason"} each.
    """

    names = models.JSONField(default=list)
    results = models.JSONField(default=list)
