"""The heartbeat of every process that serves."""

from django.db import models


class Heartbeat(models.Model):
    """One row for each serving process, which its journal writer overwrites every ten seconds.

    `process` is the address at which it serves, so a process that was started again replaces its row.
    `at` is what the process's clock said; `uptime` is how many seconds the machine had run then, since the
    start that `boot` names. So another process of the same machine knows what its own clock should say.
    """

    process = models.CharField(max_length=255, primary_key=True)
    at = models.DateTimeField()
    boot = models.CharField(max_length=36, blank=True)
    uptime = models.FloatField()
