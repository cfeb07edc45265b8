"""Which sessions the effort rules have looked at, how far, and by which yardstick."""

from django.db import models

from playtest.play.models import Session


class Assessment(models.Model):
    """The last look of the rules at a session: with which rule set, at how many attempts that had ended.

    `thresholds` is what the study had changed then; `norms` says, for each version met, whose attempts made
    what is usual there (`queries.effort.norm_states`). Where either has moved since, the session is looked
    at again. An empty `rule_version`: look again as soon as no decision rests on the flags.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="assessment")
    rule_version = models.CharField(max_length=20, blank=True)
    attempts = models.PositiveSmallIntegerField()
    thresholds = models.JSONField(default=dict)
    norms = models.JSONField(default=dict)
