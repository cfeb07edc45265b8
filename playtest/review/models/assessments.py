"""Which sessions the effort rules have looked at, and how far."""

from django.db import models

from playtest.play.models import Session


class Assessment(models.Model):
    """The last look of the rules at a session: with which rule set, at how many attempts that had ended."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="assessment")
    rule_version = models.CharField(max_length=20)
    attempts = models.PositiveSmallIntegerField()
