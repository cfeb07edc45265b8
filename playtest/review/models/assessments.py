"""The sessions that the effort rules have assessed, with the norms and thresholds of that time."""

from django.db import models

from playtest.play.models import Session


class Assessment(models.Model):
    """The last assessment of a session: by which rule set, of how many ended attempts.

    `thresholds` are those of the session's protocol that differ from the default ones. `norms` is, for each
    version, the state of its norms (`queries.effort.norm_states`). Where either has changed since, the
    session is assessed again. An empty `rule_version`: assess again as soon as no decision rests on the
    flags.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="assessment")
    rule_version = models.CharField(max_length=20, blank=True)
    attempts = models.PositiveSmallIntegerField()
    thresholds = models.JSONField(default=dict)
    norms = models.JSONField(default=dict)
